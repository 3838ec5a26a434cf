import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'

export type Recording = { id: string; file_hash: string }

export function find(db: Db, scope: Scope, id: string): Promise<(Recording & { campaign_id: number }) | undefined> {
  return db
    .selectFrom('recording')
    .innerJoin('campaign', 'campaign.id', 'recording.campaign_id')
    .select(['recording.id', 'recording.file_hash', 'recording.campaign_id'])
    .where('recording.id', '=', id)
    .where(within(scope, 'campaign.account_id'))
    .executeTakeFirst()
}

export function olderThan(db: Db, before: Date, limit: number): Promise<Recording[]> {
  return db
    .selectFrom('recording')
    .select(['id', 'file_hash'])
    .where('at', '<', before)
    .orderBy('at')
    .limit(limit)
    .execute()
}

/** Nobody begins or ceases to name this file until the transaction ends: the engine takes the same lock. */
export async function lockFile(tx: Tx, hash: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('file ' || ${hash}))`.execute(tx)
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('recording').where('id', '=', id).execute()
}

export async function isFileNamed(tx: Tx, hash: string): Promise<boolean> {
  const { rows } = await sql<{ is_named: boolean }>`
    select exists (select from recording where file_hash = ${hash})
      or exists (select from prompt where ${hash} in (wav_hash, original_hash))
      or exists (select from speech_sound where file_hash = ${hash})
      or exists (select from voice_pack_word where wav_hash = ${hash} or pending_hash = ${hash})
      or exists (select from base where file_hash = ${hash})
      or exists (select from report where ${hash} in (zip_hash, cc_hash, dtmf_hash))
      or exists (select from branding where logo_hash = ${hash}) as is_named`.execute(tx)
  return rows[0]?.is_named === true
}

/** Those that no dialer gave us in all that time. */
export async function forgetDue(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('recording_due').where('began_at', '<', before).execute()
}
