import { userRoutes } from '@ghanti/contract/users.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useLocalList } from '../../components/table/use-list.ts'
import { useOwnBalance } from '../../components/ui/own-balance.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { TabTitle } from '../../components/ui/Page.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import classes from './DashboardScreen.module.css'
import { firstStepsQuery, wantsFirstSteps } from './first-steps.ts'
import { Trend } from './Trend.tsx'
import { isEmpty } from './trend.ts'

// Loaded after the first paint, because it stands below the cards.
const Today = late(() => import('./Today.tsx'))
const partOf = {
  user: late(() => withTexts(import('./ForUser.tsx'))),
  reseller: late(() => withTexts(import('./ForReseller.tsx'))),
  superAdmin: late(async () => {
    await loadTexts('alerts')
    return withTexts(import('./ForOperator.tsx'))
  }),
} as const satisfies Record<Role, unknown>

async function withTexts<Part>(part: Promise<Part>): Promise<Part> {
  await loadTexts('overview')
  return part
}

export const loader = screenLoader(({ userId, prefetch }) => {
  void prefetch(jsonQuery(userRoutes.dashboard, { userId }))
  if (wantsFirstSteps(userId)) void prefetch(firstStepsQuery())
})

type Dashboard = ReplyOf<typeof userRoutes.dashboard>
type RunningRow = Dashboard['dbUserWiseCampaigns'][number]

const runningList = {
  sortKeys: ['-totalCampaigns', 'username'],
  searchIn: (row: RunningRow) => row.username,
  valueOf: {
    username: (row: RunningRow) => row.username,
    totalCampaigns: (row: RunningRow) => row.totalCampaigns,
  },
}

const columns = (t: TextsOf<'dashboard'>, format: Format): Column<RunningRow>[] => [
  { key: 'username', header: t.username, sortKey: 'username', cardTitle: true, cell: (row) => row.username },
  {
    key: 'totalCampaigns',
    header: t.runningCampaigns,
    sortKey: 'totalCampaigns',
    align: 'right',
    cell: (row) => format.count(row.totalCampaigns),
  },
]

export default function DashboardScreen() {
  const t = useTexts('dashboard')
  const format = useFormat()
  const { userId, role } = useSession()
  const Part = partOf[role]
  const dashboard = useQuery(jsonQuery(userRoutes.dashboard, { userId }))
  const shown = useMemo(() => columns(t, format), [t, format])
  const running = useLocalList(
    {
      rows: dashboard.data?.dbUserWiseCampaigns,
      error: dashboard.error,
      isFetching: dashboard.isFetching,
      refetch: () => void dashboard.refetch(),
    },
    runningList,
  )
  return (
    <>
      <TabTitle title={t.title} />
      <h1 className={classes.title}>{t.title}</h1>
      {dashboard.error && !dashboard.data ? (
        <Failure error={dashboard.error} onRetry={() => void dashboard.refetch()} />
      ) : (
        <>
          <Cards role={role} dashboard={dashboard.data} />
          <Suspense fallback={<div className={classes.later} aria-busy />}>
            <Part />
          </Suspense>
          <Suspense>
            <Today role={role} />
          </Suspense>
          {dashboard.data && !isEmpty(dashboard.data.dbTrend) && <Trend role={role} trend={dashboard.data.dbTrend} />}
          <DataTable
            isScreen={false}
            title={t.runningCampaigns}
            columns={shown}
            rowId={(row) => row.username}
            list={running}
            empty={role === 'user' ? 'runningOwn' : 'runningBelow'}
          />
        </>
      )}
    </>
  )
}

/** The figures by role (specification 1 §2), and today's messages. */
function cardsOf(
  role: Role,
  t: TextsOf<'dashboard'>,
  dashboard: Dashboard | undefined,
  format: Format,
  balance: ReturnType<typeof useOwnBalance>,
): { label: string; value: string | undefined; note?: string | null }[] {
  const count = (value: number | undefined) => (value === undefined ? undefined : format.count(value))
  const header = dashboard?.dbHeader
  const today = dashboard?.dbTrend.days.at(-1)
  const messages = {
    label: t.messagesToday,
    value: count(today?.messages),
    note: today ? t.messagesTodayNote(format.count(today.delivered)) : dashboard ? null : '\u00a0', // reserves the line, so that nothing moves later
  }
  const credits = { value: balance?.free, note: balance?.reserved ?? null }
  if (role === 'user') {
    return [
      { label: t.totalVoiceCampaigns, value: count(header?.totalVoiceCampaigns) },
      { label: t.totalCalls, value: count(header?.totalCalls), note: t.ofCampaigns },
      { label: t.connectedCalls, value: count(header?.connectedCalls), note: t.ofCampaigns },
      messages,
      { label: t.balanceAvailable, ...credits },
    ]
  }
  return [
    { label: t.totalResellers, value: count(header?.resellers) },
    { label: t.totalEndUsers, value: count(header?.endUsers) },
    messages,
    ...(role === 'reseller' ? [{ label: t.creditsAvailable, ...credits }] : []),
  ]
}

function Cards({ role, dashboard }: { role: Role; dashboard: Dashboard | undefined }) {
  const t = useTexts('dashboard')
  const format = useFormat()
  const balance = useOwnBalance()
  return (
    <dl className={classes.cards} aria-label={t.overview}>
      {cardsOf(role, t, dashboard, format, balance).map(({ label, value, note }) => (
        <div key={label} className={classes.card}>
          <dt>{label}</dt>
          <dd data-numeric>{value ?? <span className={classes.bone} />}</dd>
          {note && <dd className={classes.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  )
}
