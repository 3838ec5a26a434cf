import type { Customer } from '@ghanti/contract/customers.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { freeOf } from '../../api/balance.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Customer.module.css'

type Plan = NonNullable<Customer['plan']>
const priceOf = (plan: Plan, t: TextsOf<'customers'>, format: Format) =>
  t.perPulse(format.rupees(plan.pulsePrice / 100), format.count(plan.pulseDuration))

function lastsText({ lasts }: Pick<Customer, 'lasts'>, t: TextsOf<'customers'>['lasts'], format: Format): string {
  if (lasts === null) return t.ofReseller
  if (lasts.perDay === null) return t.none
  if (lasts.days === null) return t.free
  return t.days(format.count(lasts.days), format.rupees(lasts.perDay), format.count(lasts.ofDays))
}

export function Figures({ customer }: { customer: Customer }) {
  const t = useTexts('customers')
  const format = useFormat()
  const { account, channels, months } = customer
  const free = freeOf(account)
  const [month] = months
  return (
    <dl className={classes.cards} aria-label={t.money}>
      <Card
        label={t.free}
        value={format.rupees(free)}
        notes={[
          account.reserved > 0 && t.reserved(format.rupees(account.reserved)),
          free < customer.lowBalanceLimit && (
            <span className={classes.low}>{t.low(format.rupees(customer.lowBalanceLimit))}</span>
          ),
          lastsText(customer, t.lasts, format),
        ]}
      />
      <Card
        label={t.month}
        value={format.rupees(month?.spend ?? 0)}
        notes={[t.margin(format.rupees(month?.margin ?? 0), account.parentUser)]}
      />
      <Card
        label={t.inUse}
        value={
          account.channels === null
            ? format.count(channels.inUse)
            : t.usedOf(format.count(channels.inUse), format.count(account.channels))
        }
        notes={[channels.given > 0 && t.given(format.count(channels.given)), <Clis key="clis" customer={customer} />]}
      />
      <PlanCard customer={customer} />
    </dl>
  )
}

function Card({ label, value, notes }: { label: string; value: string; notes: readonly ReactNode[] }) {
  return (
    <div className={classes.card}>
      <dt>{label}</dt>
      <dd data-numeric>{value}</dd>
      {notes.map((note, n) => (
        // eslint-disable-next-line react/no-array-index-key -- they stay in their order
        <Note key={n}>{note}</Note>
      ))}
    </div>
  )
}

function Note({ children }: { children: ReactNode }) {
  return children ? <dd className={classes.note}>{children}</dd> : null
}

function PlanCard({ customer: { account, plan, planAbove } }: { customer: Customer }) {
  const t = useTexts('customers')
  const format = useFormat()
  if (!plan) return <Card label={t.plan} value="–" notes={[t.noPlan]} />
  return (
    <div className={classes.card}>
      <dt>{t.plan}</dt>
      <dd className={classes.name}>{plan.planName}</dd>
      <Note>{`${priceOf(plan, t, format)} · ${t.perSms(format.rupees(plan.smsPrice / 100))}`}</Note>
      <Note>{planAbove && t.pays(account.parentUser, priceOf(planAbove, t, format))}</Note>
    </div>
  )
}

const clisShown = 3

function Clis({ customer: { account } }: { customer: Customer }) {
  const t = useTexts('customers').clis
  const format = useFormat()
  const clis = account.usercli === '' ? [] : account.usercli.split(', ')
  const more = account.usercliCount - clisShown
  return (
    <>
      {t.title}: {clis.length === 0 ? t.none : clis.slice(0, clisShown).map(format.phone).join(', ')}
      {more > 0 && ` ${t.more(format.count(more))}`}{' '}
      <Link to={`/allocated-cli-list?userId=${account.userId}`}>{t.all}</Link>
    </>
  )
}
