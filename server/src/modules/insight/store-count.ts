import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'

/**
 * Adds the calls and messages since the last run to the counters (server/schema/15_counts.sql), at most `statements` batches of each. Returns how many
 * it took.
 */
export async function followOnce(db: Db, statements: number): Promise<number> {
  const calls = await sql<{ taken: number }>`select follow_attempts(${statements}) as taken`.execute(db)
  const messages = await sql<{ taken: number }>`select follow_messages(${statements}) as taken`.execute(db)
  return Math.max(calls.rows[0]?.taken ?? 0, messages.rows[0]?.taken ?? 0)
}

const minutesKept = 48 * 60
const forgottenAtOnce = 10_000

/** Minutes are kept for 48 hours. */
export async function forgetMinutes(db: Db): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from call_count_minute where ctid = any (array(
        select ctid from call_count_minute where at <= nepal_minute(now()) - ${minutesKept}::int limit ${forgottenAtOnce}))`.execute(
      db,
    )
    if (Number(numAffectedRows) < forgottenAtOnce) return
  }
}
