import { sql } from 'kysely'
import { codeOf } from '../lib/error-code.ts'
import type { Db, Tx } from './db.ts'

const queryCanceled = '57014'

/** Whether PostgreSQL ended a statement that took longer than its limit. Its transaction is rolled back. */
export function isOverTime(error: unknown): boolean {
  return codeOf(error) === queryCanceled
}

/**
 * What `work` reads, if none of its statements takes longer than `ms`; otherwise null. For a method that is either quick or endless, where
 * there is another to fall back on.
 */
export async function inTime<T>(db: Db, ms: number, work: (tx: Tx) => Promise<T>): Promise<T | null> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${`${ms}`}, true)`.execute(tx)
      return work(tx)
    })
  } catch (error) {
    if (isOverTime(error)) return null
    throw error
  }
}
