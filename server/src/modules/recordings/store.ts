import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'

export type Recording = { id: string; file_hash: string }

type Found = Recording & { account_id: number; campaign_name: string }
export function find(db: Db, scope: Scope, id: string): Promise<Found | undefined> {
  return db
    .selectFrom('recording')
    .innerJoin('campaign', 'campaign.id', 'recording.campaign_id')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'campaign.id')
    .select(['recording.id', 'recording.file_hash', 'campaign.account_id', 'd.name as campaign_name'])
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
  return (await unnamed(tx, [hash])).length === 0
}

/**
 * Of these files those that nothing names: whoever comes to keep files has a line here. A deleted prompt's sound stays while a campaign of its owner, a
 * finished one too, plays it: it can be listened to again.
 */
export async function unnamed(db: Db, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    with left_over as materialized (
      select t.hash from unnest(${hashes}::text[]) as t (hash)
      where not exists (select from recording where file_hash = t.hash)
        and not exists (select from prompt where wav_hash = t.hash and deleted_at is null)
        and not exists (select from prompt where original_hash = t.hash and deleted_at is null)
        and not exists (select from speech_sound where file_hash = t.hash)
        and not exists (select from voice_pack_word where wav_hash = t.hash)
        and not exists (select from voice_pack_word where pending_hash = t.hash)
        and not exists (select from base where file_hash = t.hash and deleted_at is null)
        and not exists (select from sms_staged_file where file_hash = t.hash)
        and not exists (select from report where t.hash in (zip_hash, cc_hash, dtmf_hash))
        and not exists (select from export where file_hash = t.hash)
        and not exists (select from archive where file_hash = t.hash)
        and not exists (select from branding where logo_hash = t.hash)
    ), owners as materialized (
      select distinct p.owner_id from left_over l join prompt p on p.wav_hash = l.hash and p.deleted_at is not null
    ), played as materialized (
      select distinct jsonb_path_query(d.flow, '$.**.hash') #>> '{}' as hash
      from owners o join campaign c on c.account_id = o.owner_id join campaign_detail d on d.campaign_id = c.id
    )
    select l.hash from left_over l where not exists (select from played p where p.hash = l.hash)`.execute(db)
  return rows.map(({ hash }) => hash)
}

/** Those that no dialer gave us in all that time. */
export async function forgetDue(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('recording_due').where('began_at', '<', before).execute()
}
