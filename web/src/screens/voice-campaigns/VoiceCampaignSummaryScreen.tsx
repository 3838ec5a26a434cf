import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { fileAddress } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { useSession } from '../../api/session.ts'
import { DataTable } from '../../components/table/DataTable.tsx'
import { listQueryAt, useList } from '../../components/table/use-list.ts'
import { useIdleLoad } from '../../components/ui/loading/use-idle-load.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { importPerform } from './actions.tsx'
import { campaignBulk } from './bulk.tsx'
import { tabText } from './cells.tsx'
import { summaryColumns } from './columns.tsx'
import { AwaitedReports } from './ReportState.tsx'

const { list: route } = voiceCampaignRoutes

export const loader = screenLoader(({ userId, url, prefetch }) => void prefetch(listQueryAt(url, route, { userId })))

/** Voice Campaign Summary (specification 1 §2): the user's own; for resellers and super admins all that they may see. */
export default function VoiceCampaignSummaryScreen() {
  const t = useTexts('voiceCampaigns')
  const common = useTexts('common')
  const format = useFormat()
  const go = useNavigate()
  const { userId, role } = useSession()
  const list = useList(route, { userId })
  useIdleLoad(importPerform)
  const columns = useMemo(
    () => summaryColumns({ role, t, format, takeAction: common.table.takeAction, go: (path) => void go(path) }),
    [role, t, format, common, go],
  )
  // The line is reserved before the count arrives, so that nothing moves when it does.
  const total = list.rows ? `${format.count(list.total)}${list.exact ? '' : '+'}` : '…'
  const { search } = list.state
  const filters = {
    status: { label: t.columns.campaignStatus, values: t.status },
    ...(role !== 'user' && { customer: { label: t.filterLabels.customer } }),
    template: { label: t.columns.campaignType, values: t.types },
    created: { label: t.filterLabels.created },
    scheduled: { label: t.filterLabels.scheduled },
    cli: { label: t.filterLabels.cli, hint: '01-5970001' },
    archived: { label: t.filterLabels.archived, values: t.archivedOf },
  }
  const tabPrefix = tabText(list.rows ?? [], t, format)
  return (
    <>
      <DataTable
        title={t.title}
        name="voice-campaigns"
        subtitle={
          (list.rows ? list.total > 0 : !list.error) && (
            <>
              {t.subtitle(total)} · <Link to="/calendar">{common.menu.calendar}</Link>
            </>
          )
        }
        columns={columns}
        rowId={(row) => row.campaignId}
        bulk={campaignBulk({ role, t, format, common })}
        list={list}
        empty={role === 'user' ? 'voiceCampaigns' : 'voiceCampaignsBelow'}
        primary={
          role === 'user' && (
            <Button component={Link} to="/add-voice-campaign" leftSection={<IconPlus size={16} aria-hidden />}>
              {common.menu.composeVoiceCampaign}
            </Button>
          )
        }
        csvHref={fileAddress(voiceCampaignRoutes.exportCsv, { userId, search, ...list.filters.set })}
        filters={filters}
        {...(tabPrefix ? { tabPrefix } : {})}
      />
      <AwaitedReports />
    </>
  )
}
