import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { hoursAt } from './rules-hours.ts'
import { startWords } from './rules-words.ts'

/** A call that is claimed now begins within this. */
export const beginsWithinMs = 1000

/** Closed also just before the end: what is claimed now may begin a moment later. */
export function closedNow(hours: CallingHours, now: Date): { opensAt: Date | null } | null {
  const time = hoursAt(hours, now)
  if (!time.open) return time
  if (!time.until || time.until.getTime() - now.getTime() > beginsWithinMs) return null
  const then = hoursAt(hours, time.until)
  return then.open ? null : then
}

/** An open 'Stop all dialling'. `target_id` is null for the platform. */
export type Block = { kind: string; target_id: number | null; reason: string }

/** What a block may stop: a way out and who pays for it, from the account up. */
export type Stoppable = { dialer: { id: number; name: string }; trunkId: number; payerIds: readonly number[] }

/** 'Stop all dialling', where it concerns these calls: why they do not begin, in words; null: nothing stops them. */
export function blockOf(blocks: readonly Block[], { dialer, trunkId, payerIds }: Stoppable): string | null {
  const targets: Record<string, { ids: readonly number[] | null; what: string }> = {
    platform: { ids: null, what: 'of the platform' },
    dialer: { ids: [dialer.id], what: `of dialer ${dialer.name}` },
    trunk: { ids: [trunkId], what: 'of its trunk' },
    account: { ids: payerIds, what: 'of the account' },
  }
  for (const block of blocks) {
    const target = targets[block.kind]
    const concerns =
      target && (target.ids === null || (block.target_id !== null && target.ids.includes(block.target_id)))
    if (concerns) return startWords.blocked(target.what, block.reason)
  }
  return null
}
