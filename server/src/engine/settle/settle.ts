import { DatabaseError } from 'pg'
import { settleOutcomes, park, type Outcome } from './settle.sql.ts'
import type { Lease, Queryable } from '../statement.ts'

export type Settled = { done: number[]; parked: number[] }

/** Settles a batch. A batch that fails because of its content is halved down to the one bad outcome, which is parked with its error and an alert. */
export async function settle(
  db: Queryable,
  lease: Lease,
  slot: number,
  outcomes: readonly Outcome[],
): Promise<Settled> {
  try {
    return { done: await settleOutcomes(db, lease, slot, outcomes), parked: [] }
  } catch (error) {
    const [only, second] = outcomes
    if (!only || !isFaultOfAnOutcome(error)) throw error
    if (!second) {
      await park(db, only, error.message)
      return { done: [], parked: [only.attemptId] }
    }
    const half = Math.ceil(outcomes.length / 2)
    const first = await settle(db, lease, slot, outcomes.slice(0, half))
    const rest = await settle(db, lease, slot, outcomes.slice(half))
    return { done: [...first.done, ...rest.done], parked: [...first.parked, ...rest.parked] }
  }
}

/** 22 is bad data, 23 a constraint. Any other error (no connection, a deadlock) is no outcome's fault: try the batch again. */
function isFaultOfAnOutcome(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && /^2[23]/.test(error.code ?? '')
}
