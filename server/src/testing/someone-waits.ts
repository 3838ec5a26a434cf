import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Db } from '../db/db.ts'
import { polling } from './timeouts.ts'

/** Resolves once somebody waits for a lock of this test's database. */
export async function someoneWaits(db: Db): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`select from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and not granted`.execute(db)
    expect(rows).not.toHaveLength(0)
  }, polling)
}
