import {
  actionOfRole,
  campaignStatusOf,
  canDo,
  editableStatuses,
  finishedStatuses,
  type CampaignAction,
} from '@ghanti/contract/campaign-status.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'
import type { TextsOf } from '../../i18n/areas.ts'

export type RowAction = 'pause' | 'resume' | 'stop' | 'retry' | 'edit' | 'duplicate' | 'archive' | 'delete'
type Refusal = keyof TextsOf<'smsCampaigns'>['refusals']

/** What programs send one by one was never composed. */
export function concerns(action: RowAction, { feed }: SmsCampaignRow): boolean {
  return !feed || !/retry|edit|duplicate/.test(action)
}

/** Why this role cannot do it now, or null. The server has the last word. */
export function refusalOf(action: RowAction, row: SmsCampaignRow, role: Role): Refusal | null {
  if (row.deleted && action !== 'archive') return 'deleted'
  switch (action) {
    case 'pause':
      return allows(actionOfRole(action, role), row) ? null : 'pauseNotRunning'
    case 'resume':
      if (!allows('resume', row)) return 'resumeNotPaused'
      // Only the server knows whether this viewer is above the administrator who paused it.
      if (role === 'user') return row.heldBy ? 'resumeHeld' : null
      return row.heldBy ? null : 'resumeOwner'
    case 'stop':
      return allows('stop', row) ? null : isOver(row) ? 'stopOver' : 'stopUnderWay'
    case 'retry':
      if (role !== 'user') return 'retryOwner'
      if (row.callCampaign) return 'retryFollows'
      if (!allows('retry', row)) return 'retryNotComplete'
      if (row.isRetry) return 'retriedAlready'
      return row.smsFailed + row.smsExpired ? null : 'retryNothing'
    case 'edit':
      if (role !== 'user') return 'editOwner'
      if (row.callCampaign) return 'editFollows'
      return isOneOf(editableStatuses, row) ? null : 'editBegun'
    case 'archive':
      if (role !== 'user') return 'archiveOwner'
      return isOver(row) ? null : 'archiveNotOver'
    case 'delete':
      if (role !== 'user') return 'deleteOwner'
      if (row.callCampaign) return 'deleteFollows'
      return isOver(row) ? null : 'deleteNotOver'
    case 'duplicate':
      if (role !== 'user') return 'duplicateOwner'
      return row.callCampaign ? 'duplicateFollows' : null
  }
}

export function isOver(row: SmsCampaignRow): boolean {
  return isOneOf(finishedStatuses, row)
}

function isOneOf(statuses: readonly string[], { campaignStatus }: SmsCampaignRow): boolean {
  return statuses.includes(campaignStatusOf(campaignStatus) ?? '')
}

function allows(action: CampaignAction, { campaignStatus }: SmsCampaignRow): boolean {
  const status = campaignStatusOf(campaignStatus)
  return status ? canDo(action, status) : false
}
