import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { isLive, onlyStoppedBy } from '../../db/live.ts'

export async function lockSuperAdmins(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('super admins'))`.execute(tx)
}

export async function isLiveAccount(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(isLive('users.path'))
    .executeTakeFirst()
  return row !== undefined
}

export async function anotherSuperAdmin(tx: Tx, userId: number, now: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'superAdmin')
    .where('id', '<>', userId)
    .where(isLive('users.path'))
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function countStoppedWith(db: Db, userId: number): Promise<number> {
  const { accounts } = await db
    .selectFrom('users')
    .select((e) => e.fn.countAll<number>().as('accounts'))
    .where('id', '<>', userId)
    .where('deleted_at', 'is', null)
    .where(onlyStoppedBy(userId, 'users.path'))
    .executeTakeFirstOrThrow()
  return accounts
}
