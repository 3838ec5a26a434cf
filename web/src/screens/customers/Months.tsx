import type { Customer } from '@ghanti/contract/customers.ts'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { FewRows, type FewColumn } from '../../components/table/FewRows.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Customer.module.css'

type Month = Customer['months'][number]

function columnsOf(statementOf: number | null, t: TextsOf<'customers'>['months'], format: Format): FewColumn<Month>[] {
  const figures = (['calls', 'answered', 'messages'] as const).map((key): FewColumn<Month> => ({
    key,
    header: t[key],
    align: 'right',
    cell: (month) => format.count(month[key]),
  }))
  const money = (['spend', 'margin'] as const).map((key): FewColumn<Month> => ({
    key,
    header: t[key],
    align: 'right',
    cell: (month) => format.rupees(month[key]),
  }))
  const statement: FewColumn<Month> = {
    key: 'statement',
    header: t.statement,
    cell: ({ month }) => (
      <Link to={`/credits-statement?account=${statementOf}&month=${month}`} aria-label={t.open(format.digits(month))}>
        {t.statement}
      </Link>
    ),
  }
  return [
    { key: 'month', header: t.month, cell: ({ month }) => format.digits(month) },
    ...figures,
    ...money,
    ...(statementOf === null ? [] : [statement]),
  ]
}

export function Months({ customer }: { customer: Customer }) {
  const { months: t } = useTexts('customers')
  const format = useFormat()
  const { role } = useSession()
  const { account, months } = customer
  // Statements of accounts deeper below are for super admins only.
  const statementOf = account.isChild || role === 'superAdmin' ? account.userId : null
  const columns = useMemo(() => columnsOf(statementOf, t, format), [statementOf, t, format])
  const some = months.filter(({ spend, calls, messages }) => spend > 0 || calls > 0 || messages > 0)
  return (
    <section aria-labelledby="customer-months" className={classes.part}>
      <h2 id="customer-months">{t.title}</h2>
      <p className={classes.hint}>{t.hint(account.parentUser)}</p>
      {some.length === 0 ? (
        <p className={classes.none}>{t.none}</p>
      ) : (
        <>
          <Bars months={months} />
          <FewRows labelledBy="customer-months" columns={columns} rowId={({ month }) => month} rows={some} />
        </>
      )}
    </section>
  )
}

/** A bar per month, oldest first; screen readers get one sentence. */
function Bars({ months }: { months: readonly Month[] }) {
  const { months: t } = useTexts('customers')
  const format = useFormat()
  const shown = months.toReversed()
  const most = Math.max(1, ...shown.map(({ spend }) => spend))
  const values = shown.map(({ spend }) => format.rupees(spend)).join(', ')
  const [first, last] = [shown[0]?.month ?? '', shown.at(-1)?.month ?? '']
  return (
    <svg
      className={classes.bars}
      viewBox={`0 0 ${shown.length * 10 - 2} 40`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t.chart(format.digits(first), format.digits(last), values)}
    >
      {shown.map(({ month, spend }, n) => {
        const height = spend > 0 ? Math.max(1, (spend / most) * 40) : 0.5
        return (
          <rect key={month} x={n * 10} y={40 - height} width={8} height={height} data-now={month === last}>
            <title>{`${format.digits(month)}: ${format.rupees(spend)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}
