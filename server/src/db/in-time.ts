import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { Db, Tx } from './db.ts'

const queryCanceled = '57014'

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
    if (error instanceof DatabaseError && error.code === queryCanceled) return null
    throw error
  }
}
