import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { isLive, isLiveToOwner } from '../../db/live.ts'

export type Recipient = {
  userId: number
  username: string
  emailid: string
  confirmed: boolean
  hasPassword: boolean
  live: boolean
  deviceKey: string
}

/** Existing accounts, whatever their state. */
function recipients(db: Db) {
  return db
    .selectFrom('users')
    .select(['id as userId', 'username', 'emailid', 'device_key as deviceKey', isLiveToOwner('users').as('live')])
    .select(sql<boolean>`verified_emailid is not distinct from emailid`.as('confirmed'))
    .select(sql<boolean>`password_hash <> ''`.as('hasPassword'))
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

/** False when the password, address or state of the account has changed since `to` was read. */
export async function insert(
  tx: Tx,
  link: { tokenHash: Buffer; to: Pick<Recipient, 'userId' | 'emailid' | 'deviceKey'>; expiresAt: Date },
): Promise<boolean> {
  const { userId, emailid, deviceKey } = link.to
  const asItWas = tx
    .selectFrom('users')
    .select((e) => ['id', e.val(link.tokenHash).as('token_hash'), e.val(link.expiresAt).as('expires_at')])
    .where('id', '=', userId)
    .where('emailid', '=', emailid)
    .where('device_key', '=', deviceKey)
    .where('deleted_at', 'is', null)
    .forShare()
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('password_reset')
    .columns(['user_id', 'token_hash', 'expires_at'])
    .expression(asItWas)
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

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

/** The account of a link; undefined when the link no longer works. */
export async function ownerOf(db: Db, tokenHash: Buffer, now: Date): Promise<number | undefined> {
  const link = await db
    .selectFrom('password_reset')
    .innerJoin('users', 'users.id', 'password_reset.user_id')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('password_reset.expires_at', '>', now)
    .where(isLiveToOwner('users'))
    .executeTakeFirst()
  return link?.user_id
}

/** Uses up the link: of any number of simultaneous uses, one succeeds. Locks the account first, as whatever voids its links does. */
export async function use(tx: Tx, ownerId: number, tokenHash: Buffer, now: Date): Promise<number | undefined> {
  await tx.selectFrom('users').select('id').where('id', '=', ownerId).forNoKeyUpdate().execute()
  const used = await tx
    .deleteFrom('password_reset')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return used?.user_id
}

export type Changed = { userId: number; username: string; deviceKey: string }

/** Undefined when the account is no longer live. */
export function setPassword(tx: Tx, userId: number, passwordHash: string): Promise<Changed | undefined> {
  return tx
    .updateTable('users')
    .set({ password_hash: passwordHash, password_given: false })
    .where('id', '=', userId)
    .where(isLiveToOwner('users'))
    .returning(['id as userId', 'username', 'device_key as deviceKey'])
    .executeTakeFirst()
}

/** The same by its owner. Undefined, too, when the password is no longer the one that the owner knew: of several changes at once, one succeeds. */
export function changePassword(
  tx: Tx,
  userId: number,
  { from, to }: { from: string; to: string },
): Promise<Changed | undefined> {
  return tx
    .updateTable('users')
    .set({ password_hash: to, password_given: false })
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .where(isLive('users.path'))
    .returning(['id as userId', 'username', 'device_key as deviceKey'])
    .executeTakeFirst()
}

export async function deleteOld(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('password_reset').where('expires_at', '<=', now).execute()
}
