import {
  actionOfRole,
  campaignStatusOf,
  canDo,
  editableStatuses,
  type CampaignAction,
} from '@ghanti/contract/campaign-status.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { isFinished, pendingCalls } from './progress.ts'

export const rowActions = [
  'pause',
  'resume',
  'stop',
  'retry',
  'generateReport',
  'downloadReport',
  'summaryPdf',
  'summaryMail',
  'edit',
  'duplicate',
  'saveSetup',
  'newFrom',
  'exportRows',
  'archive',
  'delete',
  'details',
] as const
export type RowAction = (typeof rowActions)[number]

export type Refusal =
  | 'pauseNotRunning'
  | 'resumeNotPaused'
  | 'resumeOwner'
  | 'resumeHeld'
  | 'stopOver'
  | 'stopUnderWay'
  | 'retryNotComplete'
  | 'retriedAlready'
  | 'retryNobody'
  | 'retryFault'
  | 'retryOwner'
  | 'reportBeingMade'
  | 'editOwner'
  | 'editBegun'
  | 'duplicateOwner'
  | 'newFromOwner'
  | 'newFromNotOver'
  | 'mailOwner'
  | 'deleted'
  | 'deleteOwner'
  | 'deleteNotOver'
  | 'archiveOwner'
  | 'archiveNotOver'

/** These actions stay available for a deleted campaign, because its sums are kept. */
const staysAfterDeletion: ReadonlySet<RowAction> = new Set(['archive', 'details'])

/** Why this role cannot do it now, or null. Statuses come from the contract's table; the server has the last word. */
export function refusalOf(action: RowAction, row: CampaignRow, role: Role): Refusal | null {
  if (row.deleted && !staysAfterDeletion.has(action)) return 'deleted'
  switch (action) {
    case 'pause':
      return allows(actionOfRole(action, role), row) ? null : 'pauseNotRunning'
    case 'resume':
      if (!allows(action, row)) return 'resumeNotPaused'
      // Only the server knows whether this viewer is above the administrator who paused it.
      if (role === 'user') return row.heldBy === undefined ? null : 'resumeHeld'
      return row.heldBy === undefined ? 'resumeOwner' : null
    case 'stop':
      if (allows(action, row)) return null
      return isFinished(row) ? 'stopOver' : 'stopUnderWay'
    case 'retry':
      return retryRefusal(row, role)
    case 'generateReport':
    case 'downloadReport':
      return row.reportStatus === '0' || row.reportStatus === '1' ? 'reportBeingMade' : null
    case 'summaryMail':
      return role === 'user' ? null : 'mailOwner'
    case 'edit':
      if (role !== 'user') return 'editOwner'
      return isEditable(row) ? null : 'editBegun'
    case 'duplicate':
    case 'saveSetup':
      return role === 'user' ? null : 'duplicateOwner'
    case 'exportRows':
    case 'summaryPdf':
      return null
    case 'newFrom':
      if (role !== 'user') return 'newFromOwner'
      return isFinished(row) ? null : 'newFromNotOver'
    case 'archive':
      if (role !== 'user') return 'archiveOwner'
      return isFinished(row) ? null : 'archiveNotOver'
    case 'delete':
      if (role !== 'user') return 'deleteOwner'
      return isFinished(row) ? null : 'deleteNotOver'
    case 'details':
      return null
  }
}

function isEditable({ campaignStatus }: CampaignRow): boolean {
  return (editableStatuses as readonly (string | undefined)[]).includes(campaignStatusOf(campaignStatus))
}

function allows(action: CampaignAction, { campaignStatus }: CampaignRow): boolean {
  const status = campaignStatusOf(campaignStatus)
  return status !== undefined && canDo(action, status)
}

function retryRefusal(row: CampaignRow, role: Role): Refusal | null {
  if (role !== 'user') return 'retryOwner'
  if (!allows('retry', row)) return 'retryNotComplete'
  if (row.isRetry !== 0) return 'retriedAlready'
  if (row.retryFault !== undefined) return 'retryFault'
  return pendingCalls(row) === 0 && row.callsConnected === row.numbersProcessed ? 'retryNobody' : null
}

/** Only INVALID numbers are left, so a retry must include them. */
export function isOnlyInvalidLeft({ callsConnected, numbersProcessed, outcomes }: CampaignRow): boolean {
  const invalid = outcomes.INVALID ?? 0
  return invalid > 0 && callsConnected + invalid === numbersProcessed
}
