import { userRoutes } from '@ghanti/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { useLocalList } from '../../components/table/use-list.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { Dashboard } from './dashboard.ts'
import classes from './DashboardScreen.module.css'

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

/** Specification 1 §2. Folded for users, whose one row says what the page has said already. */
export default function Running() {
  const t = useTexts('dashboard')
  const format = useFormat()
  const { userId, role } = useSession()
  const { data, error, isFetching, refetch } = useQuery(jsonQuery(userRoutes.dashboard, { userId }))
  const shown = useMemo(() => columns(t, format), [t, format])
  const list = useLocalList(
    { rows: data?.dbUserWiseCampaigns, error, isFetching, refetch: () => void refetch() },
    runningList,
  )
  const table = (
    <DataTable
      isScreen={false}
      title={t.runningCampaigns}
      columns={shown}
      rowId={(row) => row.username}
      list={list}
      empty={role === 'user' ? 'runningOwn' : 'runningBelow'}
    />
  )
  if (role !== 'user') return table
  return (
    <details className={classes.fold}>
      <summary>{t.runningCampaigns}</summary>
      {table}
    </details>
  )
}
