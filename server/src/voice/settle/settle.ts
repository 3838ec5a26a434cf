import type { DatabaseError } from 'pg'
import type { Queryable } from '../../dispatch/statement.ts'
import { halved } from '../../dispatch/halved.ts'
import { park, settleReported, type ReportedOutcome } from './settle.sql.ts'

export type Settled = {
  /** The attempts that counted. */
  done: number[]
  /** Those whose outcome no table accepts. */
  parked: number[]
  /** Those whose outcome was refused for another reason, which may pass. */
  refused: Map<number, DatabaseError>
  /** Accounts that others had locked: their outcomes are not written. */
  locked: Set<number>
}

/** Settles a batch. An outcome that no table accepts is parked with its error and an alert. */
export async function settle(
  db: Queryable,
  slot: number,
  reported: readonly ReportedOutcome[],
  how: { waits: boolean },
): Promise<Settled> {
  const settled: Settled = { done: [], parked: [], refused: new Map(), locked: new Set() }
  await halved(
    reported,
    async (some) => {
      const { done, locked } = await settleReported(db, slot, some, how)
      settled.done.push(...done)
      for (const accountId of locked) settled.locked.add(accountId)
    },
    async ({ outcome }, error) => {
      if (isUnacceptable(error)) {
        await park(db, outcome, error.message)
        settled.parked.push(outcome.attemptId)
      } else settled.refused.set(outcome.attemptId, error)
    },
  )
  return settled
}

/** 22 is bad data, 23 a constraint: it will never be accepted. */
function isUnacceptable({ code = '' }: DatabaseError): boolean {
  return /^2[23]/.test(code)
}
