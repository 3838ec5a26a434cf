import {
  campaignActions,
  campaignStatusLabel,
  canDo,
  editableStatuses,
  type CampaignAction,
  type CampaignStatus,
  type HoldCause as WireHold,
} from '@ghanti/contract/campaign-status.ts'
import { scheduleDaysMax } from '@ghanti/contract/compose.ts'
import { refusedKeptMax } from '@ghanti/contract/refused.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import type { HoldCause } from '../../db/tables.ts'
import type { Need } from '../quotas/actions.ts'
import { textRowBytes } from '../quotas/rules.ts'

export type Current = { name: string; status: CampaignStatus; holdCause: HoldCause | null; isRetry: boolean }

const done: Record<CampaignAction, string> = {
  pause: 'paused',
  hold: 'paused',
  stop: 'stopped',
  resume: 'resumed',
  retry: 'retried',
}

/** Why an action was refused, continuing a sentence after the campaign's name. */
export function refusal(action: CampaignAction, current: Current, role: Role): string {
  const from: readonly string[] = campaignActions[action].from
  if (!from.includes(current.status)) {
    const labels = [...new Set(campaignActions[action].from.map((status) => campaignStatusLabel[status]))]
    return `is ${campaignStatusLabel[current.status]}, only ${labels.join(', ')} can be ${done[action]}`
  }
  if (action === 'retry') return current.isRetry ? 'has already been retried' : 'has nobody left to call again'
  if (action === 'hold' && current.holdCause === 'administrator') return 'has already been paused by an administrator'
  if (current.holdCause === 'administrator')
    return 'was paused by an administrator: only that administrator or an account above can resume it'
  return role === 'user' ? 'has just changed' : 'was not paused by an administrator: only its owner can resume it'
}

/** What a campaign waits for. Undefined: nothing. Does not compile when replies have no word for a cause. */
export function holdOf({
  status,
  hold_cause,
}: {
  status: CampaignStatus
  hold_cause: HoldCause | null
}): WireHold | undefined {
  if (status === 'lowBalance') return 'lowBalance'
  return status === 'onHold' ? (hold_cause ?? undefined) : undefined
}

export function canStill(action: CampaignAction, current: Current): boolean {
  return canDo(action, current.status) && !(action === 'retry' && current.isRetry)
}

export function administratorsReason(action: 'pause' | 'stop', reason: string): string {
  return `${action === 'pause' ? 'Paused' : 'Stopped'} by an administrator: ${reason}`
}

const graceMs = 60_000
const dayMs = 24 * 3600_000

/** The start, or what is wrong with it. Absent: now; times up to a minute in the past are accepted (docs/api.md#compose). */
export function startOf(scheduleTime: string | undefined, now: Date): Date | string {
  if (scheduleTime === undefined) return now
  const start = instantOfNepalTime(scheduleTime)
  if (!start) return 'is not a time of the calendar'
  if (start.getTime() > now.getTime() + scheduleDaysMax * dayMs) return `is more than ${scheduleDaysMax} days ahead`
  return start.getTime() < now.getTime() - graceMs ? 'must not be in the past' : start
}

export type Doing = 'call' | 'send'

/** When no more calls begin, or messages leave: at `notAfter`, or else on the last day. Or what is wrong with `notAfter`. */
export function endOf(notAfter: string | undefined, start: Date, lastDay: Date, doing: Doing = 'call'): Date | string {
  if (notAfter === undefined) return lastDay
  const end = instantOfNepalTime(notAfter)
  if (!end) return 'is not a time of the calendar'
  if (end <= start) return 'must be after the start'
  return end > lastDay ? `is after the last day on which the campaign may ${doing}` : end
}

/** Why a campaign cannot be changed any more. Null: it can. */
export function begunProblem(status: CampaignStatus, isOver: boolean, doing: Doing): string | null {
  const editable: readonly string[] = editableStatuses
  if (isOver) return `is over: the time in which it may ${doing} has passed`
  if (editable.includes(status)) return null
  const labels = editableStatuses.map((one) => campaignStatusLabel[one]).join(', ')
  return `is ${campaignStatusLabel[status]}, only ${labels} can be changed`
}

type StoredFile = { rows: number; dialable: number; value_bytes: number | null; size_bytes: number }
/**
 * What the campaign will store of its file, before it is validated for the template. `hasTexts`: includes what rows may be sent after
 * calls.
 */
export function needsOf(base: StoredFile | undefined, hasTexts = false): Need[] {
  const campaign: Need = { what: 'campaigns', more: 1, field: 'campaignName' }
  if (!base) return [campaign]
  const textRows = hasTexts ? base.dialable : 0
  const rows = Math.min(base.rows, base.dialable + refusedKeptMax) + textRows
  const bytes = (base.value_bytes ?? base.size_bytes) + textRows * textRowBytes
  return [campaign, { what: 'rows', more: rows, field: 'baseId' }, { what: 'bytes', more: bytes, field: 'baseId' }]
}
