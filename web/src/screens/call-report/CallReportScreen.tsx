import { callReportRoutes } from '@ghanti/contract/call-report.ts'
import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { fileAddress } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { useSession } from '../../api/session.ts'
import { DataTable } from '../../components/table/DataTable.tsx'
import { listQueryAt, useList } from '../../components/table/use-list.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { openExport } from '../exports/open.tsx'
import { callColumns, filterWords } from './columns.tsx'

const { list: route, exportCsv } = callReportRoutes

export const loader = screenLoader(({ userId, url, prefetch }) => void prefetch(listQueryAt(url, route, { userId })))

/** Every call that ended: the user's, a reseller's customers', all for super admins (specification 2 §2). */
const emptyOf = { user: 'callsOwn', reseller: 'callsBelow', superAdmin: 'callsAll' } as const

export default function CallReportScreen() {
  const t = useTexts('callReport')
  const { takeAction } = useTexts('common').table
  const format = useFormat()
  const { userId, role } = useSession()
  const navigate = useNavigate()
  const list = useList(route, { userId })
  const columns = useMemo(
    () => callColumns({ t, format, role, takeAction, isOne: false, go: (path) => void navigate(path) }),
    [t, format, role, takeAction, navigate],
  )
  const { customer, campaign, kind } = t.filters
  const search = list.state.search || undefined
  const exportAll = () =>
    void openExport(
      { kind: 'calls', filter: { ...list.filters.set, ...(search && { search }) } },
      (ask) => ask.calls,
      (path) => void navigate(path),
    )
  return (
    <DataTable
      title={t.title}
      subtitle={t.subtitle[role]}
      name="report"
      columns={columns}
      rowId={(row) => row.attemptId}
      list={list}
      searches={t.searches}
      primary={
        <Button variant="default" onClick={exportAll}>
          {t.exportAll}
        </Button>
      }
      csvHref={fileAddress(exportCsv, { userId, ...list.filters.set, search: list.state.search })}
      filters={{
        ...(role !== 'user' && { customer: { label: customer } }),
        campaignId: { label: campaign },
        ...filterWords(t, role),
        kind: { label: kind, values: t.kinds },
      }}
      empty={emptyOf[role]}
    />
  )
}
