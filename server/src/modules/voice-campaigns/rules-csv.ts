import { campaignStatusLabel, campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { templateTypeLabel } from '@ghanti/contract/template-names.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import type { CsvCell } from '../../lib/csv.ts'

/** The screen's columns (specification 1 §2); above users, also the owner. */
const columns: readonly { header: string; cell: (row: CampaignRow) => CsvCell; aboveUsers?: true }[] = [
  { header: 'Campaign Name', cell: (row) => row.campaignName },
  { header: 'Username', cell: (row) => row.username, aboveUsers: true },
  { header: 'Campaign Status', cell: (row) => statusLabel(row.campaignStatus) },
  { header: 'Campaign Type', cell: (row) => templateTypeLabel(row.templateId) },
  { header: 'Schedule Time', cell: (row) => row.scheduleTime },
  { header: 'Total Numbers', cell: (row) => row.numbersUploaded },
  { header: 'Calls Dialed', cell: (row) => row.numbersProcessed },
  { header: 'Pending Calls', cell: pendingCalls },
  { header: 'Connected Calls', cell: (row) => row.callsConnected },
  { header: 'Total Pulses', cell: (row) => row.pulses },
  { header: 'DnD Count', cell: (row) => row.dndCount },
  { header: 'Dtmf Count', cell: (row) => row.dtmfCount },
]

export function pendingCalls({ numbersUploaded, dndCount, numbersProcessed }: CampaignRow): number {
  return numbersUploaded - dndCount - numbersProcessed
}

function statusLabel(code: number): string {
  const status = campaignStatusOf(code)
  return status ? campaignStatusLabel[status] : ''
}

function columnsFor(role: Role) {
  return columns.filter(({ aboveUsers }) => !aboveUsers || role !== 'user')
}

export function summaryHeader(role: Role): string[] {
  return columnsFor(role).map(({ header }) => header)
}

export function summaryCells(row: CampaignRow, role: Role): CsvCell[] {
  return columnsFor(role).map(({ cell }) => cell(row))
}
