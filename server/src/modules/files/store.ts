import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'

/** Until the transaction ends, nobody else can add or remove a reference to this file. The engine takes the same lock. */
export async function lockFile(tx: Tx, hash: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('file ' || ${hash}))`.execute(tx)
}

export async function isFileNamed(tx: Tx, hash: string): Promise<boolean> {
  return (await unnamed(tx, [hash])).length === 0
}

/**
 * Of these files, those that nothing names. A new feature that stores files must add a line here. The sound of a deleted prompt stays while a
 * campaign of its owner plays it, also a finished one, which can be listened to.
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
        and not exists (select from report where zip_hash = t.hash)
        and not exists (select from report where cc_hash = t.hash)
        and not exists (select from report where dtmf_hash = t.hash)
        and not exists (select from export where file_hash = t.hash)
        and not exists (select from archive where file_hash = t.hash)
        and not exists (select from branding where logo_hash = t.hash)
        and not exists (select from recording_notice where file_hash = t.hash)
    ), owners as materialized (
      select distinct p.owner_id from left_over l join prompt p on p.wav_hash = l.hash and p.deleted_at is not null
    ), played as materialized (
      select distinct jsonb_path_query(d.flow, '$.**.hash') #>> '{}' as hash
      from owners o join campaign c on c.account_id = o.owner_id join campaign_detail d on d.campaign_id = c.id
    )
    select l.hash from left_over l where not exists (select from played p where p.hash = l.hash)`.execute(db)
  return rows.map(({ hash }) => hash)
}
