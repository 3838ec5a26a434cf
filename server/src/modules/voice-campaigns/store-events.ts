import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { isStopped } from '../../db/live.ts'
import { ownedPaisa } from '../../db/owned.ts'
import { progressRows, type ProgressRow } from './store.ts'

/** Changes are stamped with the database's time, never a process's. */
export async function databaseNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? new Date()
}

export function changedRows(db: Db, since: Date, limit: number): Promise<ProgressRow[]> {
  return progressRows(db).where('p.changed_at', '>=', since).orderBy('p.changed_at').limit(limit).execute()
}

export async function stoppedOf(db: Db, userIds: readonly number[]): Promise<number[]> {
  const rows = await db.selectFrom('users').select('id').where('id', 'in', userIds).where(isStopped('path')).execute()
  return rows.map(({ id }) => id)
}

export type BalanceOf = { id: number; paisa: number; reservedPaisa: number }

/** Posted balance plus unswept income, and what is reserved. */
export async function balancesOf(db: Db, accountIds: readonly number[]): Promise<BalanceOf[]> {
  const { rows } = await sql<BalanceOf>`
    select a.id, ${ownedPaisa('a')} as "paisa", a.reserved_paisa as "reservedPaisa"
      from account a where a.id = any (${accountIds})`.execute(db)
  return rows
}
