import { dispositions } from '@ghanti/contract/campaign-status.ts'
import { dispositionLabel } from '@ghanti/contract/disposition-label.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { rupeesCell, type CsvCell } from '../../lib/csv.ts'
import { summaryCells, summaryHeader } from '../voice-campaigns/rules-csv.ts'

/** The columns of the campaigns' list, then the other figures of the page. Contains no contacts' data. */
export const figuresHeader: string[] = [
  'Campaign ID',
  ...summaryHeader('user'),
  'Calls Made',
  'Cost (Rs)',
  ...dispositions.map((disposition) => dispositionLabel[disposition]),
]

export function figuresCells(row: CampaignRow): CsvCell[] {
  return [
    row.campaignId,
    ...summaryCells(row, 'user'),
    row.attempts,
    rupeesCell(row.cost),
    ...dispositions.map((disposition) => row.outcomes[disposition] ?? 0),
  ]
}
