import { overviewRoutes, type ResellerOverview, type Trouble } from '@ghanti/contract/overview.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { Link } from 'react-router'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { FewRows, type FewColumn } from '../../components/table/FewRows.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { Status } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { serverSentence, useTexts } from '../../i18n/language.ts'
import { Hold } from '../voice-campaigns/hold/Hold.tsx'
import { useProvider } from '../voice-campaigns/hold/Provider.tsx'
import { againMs, type PartProps } from './dashboard.ts'
import { weekFigures } from './figures-of.ts'
import { Figures } from './Figures.tsx'
import { wantsFirstSteps } from './first-steps.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { lowNeeds } from './needs/other-needs.tsx'
import { NeedsCard } from './needs/NeedsCard.tsx'
import { ownNeeds } from './needs/own-needs.tsx'
import { Hero } from './now/Hero.tsx'
import classes from './Overview.module.css'
import { Section } from './Section.tsx'
import { Strip } from './Strip.tsx'

type Texts = TextsOf<'overview'>

const Running = late(() => import('./Running.tsx'))
void Running.preload()

export default function ForReseller({ dashboard }: PartProps) {
  const t = useTexts('overview')
  const format = useFormat()
  const { userId, username } = useSession()
  const { now: ask } = useProvider()
  const own = useQuery({ ...jsonQuery(overviewRoutes.own, {}), refetchInterval: againMs(null) })
  const below = useQuery({
    ...jsonQuery(overviewRoutes.reseller, {}),
    refetchInterval: ({ state }) => againMs(state.data?.now),
  })
  const failed = [own, below].find(({ data, error }) => error && !data)
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />
  if (!own.data || !below.data) return <div className={classes.later} aria-busy />
  const { now, month, customers, trouble, troubleInAll } = below.data
  const isBegun = now.running > 0 || now.last !== null
  const needs = [...ownNeeds(own.data, { t: t.needs, format, ask, username }), ...lowNeeds(below.data, t, format)]
  const figures = [
    weekFigures(dashboard.dbTrend, t, format).reached,
    { label: t.month.margin, value: format.rupees(month.margin), note: t.month.before(format.rupees(month.before)) },
    { label: t.month.paid, value: format.rupees(month.paid), note: t.month.hint },
  ]
  return (
    <div className={classes.parts}>
      {!isBegun && <FirstSteps />}
      {(isBegun || !wantsFirstSteps(userId)) && <Hero now={now} />}
      <NeedsCard needs={needs} />
      {isBegun && <FirstSteps />}
      <Figures label={t.month.title} figures={figures} />
      <Strip header={dashboard.dbHeader} />
      <Troubles rows={trouble} inAll={troubleInAll} />
      <Customers rows={customers} />
      <Suspense>
        <Running />
      </Suspense>
    </div>
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

const screenOf = ({ isSms, campaignId }: Trouble) =>
  isSms ? `/sms-campaign-report/${campaignId}` : `/voice-campaign-summary/${campaignId}`
const troubleColumns = ({ trouble: t }: Texts): FewColumn<Trouble>[] => [
  { key: 'name', header: t.name, cell: (row) => <Link to={screenOf(row)}>{row.campaignName}</Link> },
  { key: 'customer', header: t.customer, cell: customerName },
  {
    key: 'what',
    header: t.what,
    cell: ({ trouble, reason, hold, ...row }) => (
      <>
        <Status is={trouble === 'failed' ? 'problem' : 'held'}>{t.kinds[trouble]}</Status>
        {hold ? (
          <Hold held={{ ...row, cause: hold, reason }} />
        ) : (
          reason && <small className={classes.reason}>{serverSentence(reason)}</small>
        )}
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
