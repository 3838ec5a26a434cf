import { callReportRoutes } from '@ghanti/contract/call-report.ts'
import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import { useMemo, useState } from 'react'
import { fileAddress } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { DataTable } from '../../../components/table/DataTable.tsx'
import { useList } from '../../../components/table/use-list.ts'
import { tabParameter } from '../../../components/ui/Tabs.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { callColumns, filterWords } from '../../call-report/columns.tsx'
import type { CampaignDetail } from './detail.ts'

const { ofCampaign: route, exportCsv, archivedCsv } = callReportRoutes
const besideTabs = { others: [tabParameter] }

/** One campaign's calls. New ones are loaded on request, so that rows do not move while somebody reads. */
export default function Attempts({ detail }: { detail: CampaignDetail }) {
  const t = useTexts('callReport')
  const { detail: detailTexts } = useTexts('campaignDetail')
  const { takeAction } = useTexts('common').table
  const format = useFormat()
  const { role, userId } = useSession()
  const navigate = useNavigate()
  const { campaignId, attempts, archivedCalls } = detail
  const list = useList(route, { campaignId }, besideTabs)
  const columns = useMemo(
    () => callColumns({ t, format, role, takeAction, isOne: true, go: (path) => void navigate(path) }),
    [t, format, role, takeAction, navigate],
  )
  // How many attempts there were when these rows were loaded.
  const [read, setRead] = useState({ rows: list.rows, attempts })
  if (read.rows !== list.rows) setRead({ rows: list.rows, attempts })
  return (
    <DataTable
      isScreen={false}
      title={detailTexts.attempts}
      subtitle={
        <>
          {t.attempts.subtitle(format.count(attempts - (archivedCalls?.rows ?? 0)))}
          {archivedCalls && (
            <>
              {' '}
              {detailTexts.archivedCalls(
                format.count(archivedCalls.rows),
                format.moment(archivedCalls.at.slice(0, 10)),
              )}{' '}
              <a href={fileAddress(archivedCsv, { campaignId })} download>
                {detailTexts.archivedDownload}
              </a>
            </>
          )}
        </>
      }
      columns={columns}
      name="attempts"
      rowId={(row) => row.attemptId}
      list={list}
      csvHref={fileAddress(exportCsv, { userId, campaignId, ...list.filters.set, search: list.state.search })}
      searches={t.searches}
      empty="attempts"
      filters={filterWords(t, role)}
      primary={
        read.attempts !== attempts && (
          <Button variant="light" onClick={list.refetch}>
            {t.attempts.fresh}
          </Button>
        )
      }
    />
  )
}
