import type { Role } from '@ghanti/contract/roles.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import type { Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import { campaignMenu } from './actions.tsx'
import { ConnectedCell, DialedCell, DtmfCell, NameCell, RetryButton, StatusCell } from './cells.tsx'
import classes from './cells.module.css'
import { pendingCalls } from './progress.ts'

type Context = {
  role: Role
  t: TextsOf<'voiceCampaigns'>
  format: Format
  takeAction: string
  go: (path: string) => void
}

/** The thirteen columns of specification 1 §2; above users, the name's second line says whose campaign it is. */
export function summaryColumns(context: Context): Column<CampaignRow>[] {
  const { role, t, takeAction, go } = context
  const { columns } = t
  return [
    {
      key: 'campaignName',
      header: columns.campaignName,
      sortKey: 'campaignName',
      cardTitle: true,
      cell: (row) => <NameCell row={row} withOwner={role !== 'user'} />,
    },
    {
      key: 'campaignStatus',
      header: columns.campaignStatus,
      sortKey: 'campaignStatus',
      card: 'status',
      cell: (row) => <StatusCell row={row} />,
    },
    {
      key: 'campaignType',
      header: columns.campaignType,
      sortKey: 'templateId',
      cell: (row) => <span className={classes.words}>{t.types[row.templateId]}</span>,
    },
    {
      key: 'scheduleTime',
      header: columns.scheduleTime,
      sortKey: 'scheduleTime',
      cell: (row) => (
        <span className={classes.time}>
          <NepalTime wire={row.scheduleTime} />
        </span>
      ),
    },
    ...figures(context),
    {
      key: 'action',
      header: columns.action,
      nowrap: true,
      pinned: true,
      cell: (row) => (
        <RowMenu
          label={takeAction}
          subject={row.campaignName}
          actions={() => campaignMenu(row, { role, t, go })}
          quick="wide"
        />
      ),
    },
    {
      key: 'retry',
      header: columns.retry,
      nowrap: true,
      controls: true,
      cell: (row) => (
        <div className={classes.compact}>
          <RetryButton row={row} go={go} />
        </div>
      ),
    },
  ]
}

function figures({ t: { columns }, format }: Context): Column<CampaignRow>[] {
  return [
    {
      key: 'totalNumbers',
      card: 'figure',
      header: columns.totalNumbers,
      sortKey: 'numbersUploaded',
      align: 'right',
      cell: (row) => format.count(row.numbersUploaded),
    },
    {
      key: 'callsDialed',
      card: 'figure',
      header: columns.callsDialed,
      sortKey: 'numbersProcessed',
      align: 'right',
      cell: (row) => <DialedCell row={row} />,
    },
    {
      key: 'pendingCalls',
      header: columns.pendingCalls,
      sortKey: 'pendingCalls',
      align: 'right',
      cell: (row) => format.count(pendingCalls(row)),
    },
    {
      key: 'connectedCalls',
      card: 'figure',
      header: columns.connectedCalls,
      sortKey: 'callsConnected',
      align: 'right',
      cell: (row) => <ConnectedCell row={row} />,
    },
    {
      key: 'totalPulses',
      header: columns.totalPulses,
      sortKey: 'pulses',
      align: 'right',
      cell: (row) => format.count(row.pulses),
    },
    {
      key: 'dndCount',
      header: columns.dndCount,
      sortKey: 'dndCount',
      align: 'right',
      cell: (row) => format.count(row.dndCount),
    },
    {
      key: 'dtmfCount',
      header: columns.dtmfCount,
      sortKey: 'dtmfCount',
      align: 'right',
      cell: (row) => <DtmfCell row={row} />,
    },
  ]
}
