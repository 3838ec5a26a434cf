import { ownValue } from '@ghanti/contract/own-values.ts'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { hoursAt } from './rules-hours.ts'
import { startWords } from './rules-words.ts'

export const beginsWithinMs = 1000

/** Closed already `beginsWithinMs` before the end, because a call claimed now starts a moment later. */
export function closedNow(hours: CallingHours, now: Date): { opensAt: Date | null } | null {
  const time = hoursAt(hours, now)
  if (!time.open) return time
  if (!time.until || time.until.getTime() - now.getTime() > beginsWithinMs) return null
  const then = hoursAt(hours, time.until)
  return then.open ? null : then
}

/** An open stop. `target_id` is null for the platform. */
export type Block = { kind: string; target_id: number | null; reason: string }

/** What a stop may apply to: dialer, trunk, and the paying accounts from the user up. */
export type Stoppable = { dialer: { id: number; name: string }; trunkId: number; payerIds: readonly number[] }

/** Why an open stop keeps these calls from starting, as a sentence; null when none does. */
export function blockOf(blocks: readonly Block[], { dialer, trunkId, payerIds }: Stoppable): string | null {
  const targets: Record<string, { ids: readonly number[] | null; what: string }> = {
    platform: { ids: null, what: 'of the platform' },
    dialer: { ids: [dialer.id], what: `of dialer ${dialer.name}` },
    trunk: { ids: [trunkId], what: 'of its trunk' },
    account: { ids: payerIds, what: 'of the account' },
  }
  for (const block of blocks) {
    const target = ownValue(targets, block.kind)
    const concerns =
      target && (target.ids === null || (block.target_id !== null && target.ids.includes(block.target_id)))
    if (concerns) return startWords.blocked(target.what, block.reason)
  }
  return null
}
