import type { Db, Tx } from '../../db/db.ts'

export async function confirmedAddress(db: Db, userId: number): Promise<string | null> {
  return (await confirmedReader(db, userId))?.address ?? null
}

export function confirmedReader(db: Db, userId: number): Promise<{ address: string; username: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['emailid as address', 'username'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .whereRef('verified_emailid', '=', 'emailid')
    .executeTakeFirst()
}

/** Undefined when the account was deleted. */
export async function usernameOf(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.username
}

type NotMeLink = { tokenHash: Buffer; userId: number; expiresAt: Date }

export async function insertNotMeLink(db: Db, { tokenHash, userId, expiresAt }: NotMeLink): Promise<void> {
  await db.insertInto('not_me_link').values({ token_hash: tokenHash, user_id: userId, expires_at: expiresAt }).execute()
}

export async function useNotMeLink(tx: Tx, tokenHash: Buffer, now: Date): Promise<number | undefined> {
  const used = await tx
    .deleteFrom('not_me_link')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return used?.user_id
}

export async function deleteNotMeLinks(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('not_me_link').where('user_id', '=', userId).execute()
}

export async function deleteOldNotMeLinks(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('not_me_link').where('expires_at', '<=', now).execute()
}
