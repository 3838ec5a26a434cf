import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { isLive } from '../../db/live.ts'

export type Recipient = {
  userId: number
  username: string
  emailid: string
  confirmed: boolean
  live: boolean
  deviceKey: string
}

/** Of an account that is there, whatever its state. */
function recipients(db: Db) {
  return db
    .selectFrom('users')
    .select(['id as userId', 'username', 'emailid', 'device_key as deviceKey', isLive('users.path').as('live')])
    .select(sql<boolean>`verified_emailid is not distinct from emailid`.as('confirmed'))
    .where('deleted_at', 'is', null)
}

export function findByName(db: Db, username: string): Promise<Recipient | undefined> {
  return recipients(db)
    .where(sql`lower(username)`, '=', sql<string>`lower(${username})`)
    .executeTakeFirst()
}

export function findRecipient(db: Db, userId: number): Promise<Recipient | undefined> {
  return recipients(db).where('id', '=', userId).executeTakeFirst()
}

export async function insert(db: Db, link: { tokenHash: Buffer; userId: number; expiresAt: Date }): Promise<void> {
  await db
    .insertInto('password_reset')
    .values({ token_hash: link.tokenHash, user_id: link.userId, expires_at: link.expiresAt })
    .execute()
}

/** Has the account a link that works? */
export async function hasOpen(db: Db, userId: number, now: Date): Promise<boolean> {
  const link = await db
    .selectFrom('password_reset')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst()
  return link !== undefined
}

/** Whose link it is; undefined when it does nothing any more. */
export async function ownerOf(db: Db, tokenHash: Buffer, now: Date): Promise<number | undefined> {
  const link = await db
    .selectFrom('password_reset')
    .innerJoin('users', 'users.id', 'password_reset.user_id')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('password_reset.expires_at', '>', now)
    .where(isLive('users.path'))
    .executeTakeFirst()
  return link?.user_id
}

/** Whose link it was, and it is one no more: of any number that use it at once one gets him. */
export async function use(tx: Tx, tokenHash: Buffer, now: Date): Promise<number | undefined> {
  const used = await tx
    .deleteFrom('password_reset')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return used?.user_id
}

export type Changed = { userId: number; username: string; deviceKey: string }

/** Undefined when the account is not live any more. */
export function setPassword(tx: Tx, userId: number, passwordHash: string): Promise<Changed | undefined> {
  return tx
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .where(isLive('users.path'))
    .returning(['id as userId', 'username', 'device_key as deviceKey'])
    .executeTakeFirst()
}

export async function deleteOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('password_reset').where('user_id', '=', userId).execute()
}

export async function deleteOld(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('password_reset').where('expires_at', '<=', now).execute()
}
