import { setTimeout as sleep } from 'node:timers/promises'
import type { OperatorRanges } from '@ghanti/contract/operators.ts'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

const rowsAtOnce = 5000

/**
 * Fills in columns that attempts of an older version lack (migration 0097), the newest first, until all have them or `signal` aborts. The next
 * call continues where it stopped. One of several processes does it. It rests half of the time, so that calls and screens come first.
 */
export async function fillAttempts(
  db: Db,
  { boundaries, codes }: OperatorRanges,
  signal: AbortSignal,
  atOnce = rowsAtOnce,
): Promise<void> {
  while (!signal.aborted) {
    const began = performance.now()
    const { rows } = await sql<{ looked: number }>`
      select fill_attempts(${atOnce}, ${boundaries}::bigint[], ${codes}::smallint[]) as looked`.execute(db)
    if (!rows[0]?.looked) return
    await sleep(performance.now() - began, undefined, { signal }).catch(() => {}) // aborted: the loop ends
  }
}

/** Attempts with lower ids may lack what migration 0097 added. Null: none does. */
export async function filledFrom(db: Db): Promise<number | null> {
  const row = await db.selectFrom('attempt_fill').select('below').executeTakeFirst()
  return row?.below ?? null
}
