import type { Customer } from '@ghanti/contract/customers.ts'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { FewRows, type FewColumn } from '../../components/table/FewRows.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Status } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Expiry } from '../users/Expiry.tsx'
import classes from './Customer.module.css'

export function Details({ customer: { account, createdAt } }: { customer: Customer }) {
  const { details: t } = useTexts('customers')
  const users = useTexts('users')
  const format = useFormat()
  const mail = account.mail === 'unconfirmed' || account.mail === 'waiting' ? ` (${users.mail[account.mail]})` : ''
  const fields = [
    [t.name, account.name],
    [t.company, account.company],
    [t.number, format.phone(account.number)],
    [t.emailid, `${account.emailid}${mail}`],
    [t.address, [account.address, account.pincode].filter(Boolean).join(', ')],
    [t.created, <NepalTime key="created" wire={createdAt} day />],
    [t.expiry, <Expiry key="expiry" wire={account.expiryDate} />],
  ] as const
  return (
    <section aria-labelledby="customer-details" className={classes.part}>
      <h2 id="customer-details">{t.title}</h2>
      <dl className={classes.fields}>
        {fields.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value === '' ? '–' : value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

type SignIn = Customer['signIns'][number] & { n: number }

const columnsOf = (t: TextsOf<'customers'>['signIns']): FewColumn<SignIn>[] => [
  { key: 'at', header: t.at, cell: ({ at }) => <NepalTime wire={at} relative /> },
  { key: 'ip', header: t.ip, cell: ({ ip }) => <span translate="no">{ip}</span> },
  {
    key: 'result',
    header: t.result,
    cell: ({ failed }) => <Status is={failed ? 'problem' : 'done'}>{failed ? t.failed : t.ok}</Status>,
  },
]

export function SignIns({ customer: { account, signIns, sessions } }: { customer: Customer }) {
  const { signIns: t } = useTexts('customers')
  const format = useFormat()
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <section aria-labelledby="customer-sign-ins" className={classes.part}>
      <h2 id="customer-sign-ins">{t.title}</h2>
      <p className={classes.hint}>{t.hint(format.count(sessions))}</p>
      {signIns.length === 0 ? (
        <p className={classes.none}>{t.none}</p>
      ) : (
        <FewRows
          labelledBy="customer-sign-ins"
          columns={columns}
          rowId={({ n }) => n}
          rows={signIns.map((signIn, n) => ({ ...signIn, n }))}
        />
      )}
      <p className={classes.links}>
        <Link to={`/audit-log?actor=${encodeURIComponent(account.username)}`}>{t.audit}</Link>
      </p>
    </section>
  )
}
