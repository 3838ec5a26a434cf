import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'

/** `claim` identifies this attempt among others with the same key. */
export type KeyUse = { userId: number; key: string; bodyHash: Buffer; claim: string }
export type StoredAnswer = { status: number; reply: unknown }
/** 'unknown': the request failed unexpectedly, or has taken longer than any request may, which means that its process is gone. */
export type KeyState =
  | { state: 'new' }
  | { state: 'other_body' }
  | { state: 'in_flight' }
  | { state: 'unknown' }
  | ({ state: 'answered' } & StoredAnswer)

export async function claimKey(db: Db, use: KeyUse): Promise<KeyState> {
  const taken = await db
    .insertInto('idempotency_key')
    .values({ user_id: use.userId, key: use.key, body_hash: use.bodyHash, claim: use.claim })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst()
  if (taken.numInsertedOrUpdatedRows === 1n) return { state: 'new' }
  const first = await db
    .selectFrom('idempotency_key')
    .select(['body_hash', 'status', 'reply', sql<boolean>`at < now() - interval '15 minutes'`.as('isOverdue')])
    .where('user_id', '=', use.userId)
    .where('key', '=', use.key)
    .executeTakeFirst()
  if (!first) return { state: 'in_flight' } // it was just released; the next attempt gets it
  if (!first.body_hash.equals(use.bodyHash)) return { state: 'other_body' }
  if (first.status === null) return { state: first.isOverdue ? 'unknown' : 'in_flight' }
  if (first.reply === null) return { state: 'unknown' }
  return { state: 'answered', status: first.status, reply: first.reply }
}

export async function storeAnswer(db: Db, use: KeyUse, answer: StoredAnswer): Promise<void> {
  await db
    .updateTable('idempotency_key')
    .set({ status: answer.status, reply: sql`${JSON.stringify(answer.reply)}::jsonb` })
    .where('user_id', '=', use.userId)
    .where('key', '=', use.key)
    .execute()
}

export async function markUnknown(db: Db, use: KeyUse): Promise<void> {
  await db
    .updateTable('idempotency_key')
    .set({ status: 500 })
    .where('user_id', '=', use.userId)
    .where('key', '=', use.key)
    .execute()
}

export async function giveKeyBack(db: Db, use: KeyUse): Promise<void> {
  await db
    .deleteFrom('idempotency_key')
    .where('user_id', '=', use.userId)
    .where('key', '=', use.key)
    .where('claim', '=', use.claim)
    .execute()
}

export async function forgetOldKeys(db: Db): Promise<void> {
  await sql`delete from idempotency_key where at < now() - interval '24 hours'`.execute(db)
}
