import type { Role } from '@ghanti/contract/roles.ts'
import { smsCampaignRoutes, type SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { fileAddress } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { useSession } from '../../api/session.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { listQueryAt, useList } from '../../components/table/use-list.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { campaignMenu } from './actions.tsx'
import { campaignBulk } from './bulk.tsx'
import { SmsName, SmsStatus } from './cells.tsx'

const { list: route } = smsCampaignRoutes

export const loader = screenLoader(({ userId, url, prefetch }) => void prefetch(listQueryAt(url, route, { userId })))

/** SMS campaign summary (specification 2 §2): the user's own; for resellers and super admins all that they may see. */
export default function SmsCampaignSummaryScreen() {
  const t = useTexts('smsCampaigns')
  const common = useTexts('common')
  const format = useFormat()
  const go = useNavigate()
  const { userId, role } = useSession()
  const list = useList(route, { userId })
  const columns = useMemo(
    () => columnsOf({ role, t, format, takeAction: common.table.takeAction, go: (path) => void go(path) }),
    [role, t, format, common, go],
  )
  // The line is reserved before the count arrives, so that nothing moves when it does.
  const total = list.rows ? `${format.count(list.total)}${list.exact ? '' : '+'}` : '…'
  const filters = {
    status: { label: t.columns.campaignStatus, values: t.status },
    ...(role !== 'user' && { customer: { label: t.filterLabels.customer } }),
    created: { label: t.filterLabels.created },
    scheduled: { label: t.filterLabels.scheduled },
    values: { label: t.filterLabels.values, values: t.valuesOf },
    archived: { label: t.filterLabels.archived, values: t.archivedOf },
  }
  return (
    <DataTable
      title={t.title}
      name="sms-campaigns"
      subtitle={(list.rows ? list.total > 0 : !list.error) && t.subtitle(total)}
      columns={columns}
      rowId={(row) => row.campaignId}
      bulk={campaignBulk({ role, t, format, common })}
      list={list}
      empty={role === 'user' ? 'smsCampaigns' : 'smsCampaignsBelow'}
      primary={
        role === 'user' && (
          <Button component={Link} to="/add-sms-campaign" leftSection={<IconPlus size={16} aria-hidden />}>
            {common.menu.addSmsCampaign}
          </Button>
        )
      }
      csvHref={fileAddress(smsCampaignRoutes.exportCsv, { userId, search: list.state.search, ...list.filters.set })}
      filters={filters}
    />
  )
}

type Context = {
  role: Role
  t: TextsOf<'smsCampaigns'>
  format: Format
  takeAction: string
  go: (path: string) => void
}

/** The columns of specification 2 §2, with the outcome of the messages between them. */
function columnsOf(context: Context): Column<SmsCampaignRow>[] {
  const { t, takeAction, role } = context
  const { columns } = t
  return [
    {
      key: 'campaignName',
      header: columns.campaignName,
      sortKey: 'campaignName',
      cardTitle: true,
      cell: (row) => <SmsName row={row} withOwner={role !== 'user'} />,
    },
    {
      key: 'campaignStatus',
      header: columns.campaignStatus,
      sortKey: 'campaignStatus',
      card: 'status',
      cell: (row) => <SmsStatus code={row.campaignStatus} />,
    },
    {
      key: 'scheduleTime',
      header: columns.scheduleTime,
      sortKey: 'scheduleTime',
      nowrap: true,
      cell: (row) => <NepalTime wire={row.scheduleTime} />,
    },
    ...figures(context),
    {
      key: 'viewSummary',
      header: columns.viewSummary,
      nowrap: true,
      cell: (row) => (
        <Link to={`/sms-campaign-report/${row.campaignId}`} aria-label={t.viewSummaryOf(row.campaignName)}>
          {columns.viewSummary}
        </Link>
      ),
    },
    {
      key: 'action',
      header: columns.action,
      nowrap: true,
      pinned: true,
      cell: (row) => (
        <RowMenu
          label={takeAction}
          subject={row.campaignName}
          actions={() => campaignMenu(row, context)}
          quick="wide"
        />
      ),
    },
  ]
}

function figures({ t: { columns }, format }: Context): Column<SmsCampaignRow>[] {
  const count = (
    key:
      | 'numbersUploaded'
      | 'smsDelivered'
      | 'smsFailed'
      | 'smsExpired'
      | 'smsUnknown'
      | 'dndCount'
      | 'optOuts'
      | 'segments',
  ) => ({
    key,
    header: columns[key],
    align: 'right' as const,
    cell: (row: SmsCampaignRow) => format.count(row[key]),
  })
  return [
    { ...count('numbersUploaded'), card: 'figure' },
    {
      key: 'smsSubmitted',
      header: columns.smsSubmitted,
      sortKey: 'smsSubmitted',
      align: 'right',
      card: 'figure',
      cell: (row) => format.count(row.smsSubmitted),
    },
    { ...count('smsDelivered'), card: 'figure' },
    count('smsFailed'),
    ...(['smsExpired', 'smsUnknown', 'dndCount', 'optOuts', 'segments'] as const).map((key) => ({
      ...count(key),
      hidden: true,
    })),
    { key: 'cost', header: columns.cost, align: 'right', cell: (row) => format.rupees(row.cost) },
  ]
}
