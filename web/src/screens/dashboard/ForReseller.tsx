import { overviewRoutes, type ResellerOverview, type Trouble } from '@ghanti/contract/overview.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { jsonQuery } from '../../api/query.ts'
import { FewRows, type FewColumn } from '../../components/table/FewRows.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Status } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { serverSentence, useTexts } from '../../i18n/language.ts'
import cards from './DashboardScreen.module.css'
import { Needs } from './Needs.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import classes from './Overview.module.css'
import { Section } from './Section.tsx'

const againMs = 15_000
type Texts = TextsOf<'overview'>

export default function ForReseller() {
  const own = useQuery({ ...jsonQuery(overviewRoutes.own, {}), refetchInterval: againMs })
  const below = useQuery({ ...jsonQuery(overviewRoutes.reseller, {}), refetchInterval: againMs })
  const failed = [own, below].find(({ data, error }) => error && !data)
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />
  if (!own.data || !below.data) return <div className={classes.loading} aria-busy />
  return (
    <div className={classes.parts}>
      <FirstSteps />
      <Month month={below.data.month} />
      <div className={classes.two}>
        <Customers rows={below.data.customers} />
        <Low rows={below.data.low} inAll={below.data.lowInAll} />
      </div>
      <Troubles rows={below.data.trouble} inAll={below.data.troubleInAll} />
      <Needs overview={own.data} />
    </div>
  )
}

function Month({ month: { margin, before, paid } }: Pick<ResellerOverview, 'month'>) {
  const { month: t } = useTexts('overview')
  const format = useFormat()
  return (
    <Section title={t.title}>
      <dl className={cards.cards}>
        <div className={cards.card}>
          <dt>{t.margin}</dt>
          <dd data-numeric>{format.rupees(margin)}</dd>
          <dd className={cards.note}>{t.before(format.rupees(before))}</dd>
        </div>
        <div className={cards.card}>
          <dt>{t.paid}</dt>
          <dd data-numeric>{format.rupees(paid)}</dd>
        </div>
      </dl>
    </Section>
  )
}

type Customer = ResellerOverview['customers'][number]
const customerName = ({ userId, username }: { userId: number; username: string }) => (
  <Link to={`/customers/${userId}`}>{username}</Link>
)
const customerColumns = ({ customers: t }: Texts, format: Format): FewColumn<Customer>[] => [
  { key: 'name', header: t.name, cell: customerName },
  { key: 'today', header: t.today, align: 'right', cell: ({ today }) => format.rupees(today) },
  { key: 'month', header: t.month, align: 'right', cell: ({ month }) => format.rupees(month) },
  { key: 'margin', header: t.margin, align: 'right', cell: ({ margin }) => format.rupees(margin) },
]

function Customers({ rows }: { rows: readonly Customer[] }) {
  const t = useTexts('overview')
  const format = useFormat()
  const columns = useMemo(() => customerColumns(t, format), [t, format])
  const { title, hint, none, all } = t.customers
  return (
    <Section title={title} hint={hint} links={<Link to="/user-list">{all}</Link>}>
      {(id) => <Few id={id} columns={columns} rowId={({ userId }) => userId} rows={rows} none={none} />}
    </Section>
  )
}

type LowRow = ResellerOverview['low'][number]
const lowColumns = ({ low: t }: Texts, format: Format): FewColumn<LowRow>[] => [
  { key: 'name', header: t.name, cell: customerName },
  {
    key: 'free',
    header: t.free,
    align: 'right',
    cell: ({ free }) => <span className={classes.amount}>{format.rupees(free)}</span>,
  },
  { key: 'limit', header: t.limit, align: 'right', cell: ({ limit }) => format.rupees(limit) },
]

function Low({ rows, inAll }: { rows: readonly LowRow[]; inAll: number }) {
  const t = useTexts('overview')
  const format = useFormat()
  const columns = useMemo(() => lowColumns(t, format), [t, format])
  const more = inAll > rows.length && <Link to="/user-list?sort=credits">{t.low.more(format.count(inAll))}</Link>
  return (
    <Section title={t.low.title} links={more}>
      {(id) => <Few id={id} columns={columns} rowId={({ userId }) => userId} rows={rows} none={t.low.none} />}
    </Section>
  )
}

const screenOf = ({ isSms, campaignId }: Trouble) =>
  isSms ? `/sms-campaign-report/${campaignId}` : `/voice-campaign-summary/${campaignId}`
const troubleColumns = ({ trouble: t }: Texts): FewColumn<Trouble>[] => [
  { key: 'name', header: t.name, cell: (row) => <Link to={screenOf(row)}>{row.campaignName}</Link> },
  { key: 'customer', header: t.customer, cell: ({ username }) => username },
  {
    key: 'what',
    header: t.what,
    cell: ({ trouble, reason }) => (
      <>
        <Status is={trouble === 'failed' ? 'problem' : 'held'}>{t.kinds[trouble]}</Status>
        {reason && <small>{serverSentence(reason)}</small>}
      </>
    ),
  },
]

function Troubles({ rows, inAll }: { rows: readonly Trouble[]; inAll: number }) {
  const t = useTexts('overview')
  const format = useFormat()
  const columns = useMemo(() => troubleColumns(t), [t])
  const { title, hint, none, more } = t.trouble
  const links = inAll > rows.length && (
    <Link to="/voice-campaign-summary?status=onHold,lowBalance,failed,refused">{more(format.count(inAll))}</Link>
  )
  const rowId = ({ isSms, campaignId }: Trouble) => `${isSms} ${campaignId}`
  return (
    <Section title={title} hint={hint} links={links}>
      {(id) => <Few id={id} columns={columns} rowId={rowId} rows={rows} none={none} />}
    </Section>
  )
}

type FewProps<Row> = {
  id: string
  columns: readonly FewColumn<Row>[]
  rowId: (row: Row) => number | string
  rows: readonly Row[]
  none: string
}

function Few<Row>({ id, columns, rowId, rows, none }: FewProps<Row>) {
  if (rows.length === 0) return <p className={classes.none}>{none}</p>
  return <FewRows labelledBy={id} columns={columns} rowId={rowId} rows={rows} />
}
