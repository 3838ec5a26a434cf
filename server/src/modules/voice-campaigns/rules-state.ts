import {
  campaignActions,
  campaignStatusLabel,
  canDo,
  type CampaignAction,
  type CampaignStatus,
} from '@ghanti/contract/campaign-status.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { HoldCause } from '../../db/tables.ts'
import type { Current } from './store-state.ts'

/** From where a campaign dials without anybody's doing: so do holds for these causes, which end by themselves. */
export const goesOnFrom: readonly CampaignStatus[] = ['processing', 'ready', 'running', 'resuming']
export const passingCauses: readonly HoldCause[] = ['hours', 'trunk', 'dialer', 'prompts', 'refusals', 'disabled']

const done: Record<CampaignAction, string> = {
  pause: 'paused',
  hold: 'paused',
  stop: 'stopped',
  resume: 'resumed',
  retry: 'retried',
}

/** Why an action on a campaign as it stands was refused, in words that read on after its name. */
export function refusal(action: CampaignAction, current: Current, role: Role): string {
  const from: readonly string[] = campaignActions[action].from
  if (!from.includes(current.status)) {
    const labels = [...new Set(campaignActions[action].from.map((status) => campaignStatusLabel[status]))]
    return `is ${campaignStatusLabel[current.status]}, only ${labels.join(', ')} can be ${done[action]}`
  }
  if (action === 'retry') return current.isRetry ? 'was retried already' : 'has nobody left to call again'
  if (action === 'hold' && current.holdCause === 'administrator') return 'was paused by an administrator already'
  if (current.holdCause === 'administrator')
    return 'was paused by an administrator: only he or somebody above him can resume it'
  return role === 'user' ? 'has just changed' : 'was not paused by an administrator: only its owner can resume it'
}

/** Do status and history of a campaign allow it? */
export function canStill(action: CampaignAction, current: Current): boolean {
  return canDo(action, current.status) && !(action === 'retry' && current.isRetry)
}

/** Why a campaign whose voice files are deleted is not retried. */
export function promptsDeleted(names: readonly string[]): string {
  const files = names.map((name) => `'${name}'`).join(', ')
  return names.length === 1
    ? `plays the voice file ${files}, which is deleted`
    : `plays the voice files ${files}, which are deleted`
}

/** What the owner reads when somebody above him acted. */
export function administratorsReason(action: 'pause' | 'stop', reason: string): string {
  return `${action === 'pause' ? 'Paused' : 'Stopped'} by an administrator: ${reason}`
}

/** Calls that were up when it was stopped go on to their end. */
export function withCallsUp(reason: string, calls: number): string {
  if (calls === 0) return reason
  return `${reason} (${calls} ${calls === 1 ? 'call is' : 'calls are'} still up)`
}
