import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'

export type Recording = { id: string; attempt_id: number; file_hash: string }

type Found = Recording & { account_id: number; campaign_name: string; phone: number | null; at: Date }
export function find(db: Db, scope: Scope, id: string): Promise<Found | undefined> {
  return db
    .selectFrom('recording')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'recording.campaign_id')
    .leftJoin('attempt as a', 'a.id', 'recording.attempt_id')
    .select([
      'recording.id',
      'recording.attempt_id',
      'recording.file_hash',
      'recording.account_id',
      'd.name as campaign_name',
      'a.phone',
    ])
    .select(({ fn }) => fn.coalesce('a.started_at', 'recording.at').as('at'))
    .where('recording.id', '=', id)
    .where(within(scope, 'recording.account_id'))
    .executeTakeFirst()
}

/** Recordings older than their account keeps them, then those older than the platform does; `days` is that number. */
export async function outdated(
  db: Db,
  now: Date,
  platformDays: number,
  limit: number,
): Promise<(Recording & { days: number })[]> {
  const { rows } = await sql<Recording & { days: number }>`
    (select r.id, r.attempt_id, r.file_hash, u.recording_days as days
       from users u cross join lateral (
         select id, attempt_id, file_hash from recording
          where account_id = u.id and at < ${now}::timestamptz - u.recording_days * interval '1 day' order by at limit ${limit}) r
      where u.recording_days < ${platformDays} limit ${limit})
    union all
    (select id, attempt_id, file_hash, ${platformDays}::int from recording r
      where at < ${now}::timestamptz - ${platformDays}::int * interval '1 day'
        and not exists (select from users u where u.id = r.account_id and u.recording_days < ${platformDays})
      order by at limit ${limit})
    limit ${limit}`.execute(db)
  return rows
}

export function ofCampaign(db: Db, campaignId: number, limit: number): Promise<Recording[]> {
  return db
    .selectFrom('recording')
    .select(['id', 'attempt_id', 'file_hash'])
    .where('campaign_id', '=', campaignId)
    .limit(limit)
    .execute()
}

/** Cancels the fetching of a campaign's recordings that are still on a dialer, and has them deleted there. */
export async function removeDue(db: Db, campaignId: number, at: Date): Promise<void> {
  await sql`
    with gone as (delete from recording_due where campaign_id = ${campaignId} returning id, attempt_id)
    insert into recording_removed (id, attempt_id, at) select id, attempt_id, ${at} from gone on conflict do nothing`.execute(
    db,
  )
}

/** Until the transaction ends, nobody else can add or remove a reference to this file. The engine takes the same lock. */
export async function lockFile(tx: Tx, hash: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('file ' || ${hash}))`.execute(tx)
}

export async function remove(
  tx: Tx,
  { id, attempt_id }: Pick<Recording, 'id' | 'attempt_id'>,
  at: Date,
  afterDays: number | null,
): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('recording').where('id', '=', id).executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await tx
    .insertInto('recording_removed')
    .values({ id, attempt_id, at, after_days: afterDays })
    .onConflict((on) => on.column('id').doNothing())
    .execute()
  return true
}

/** How many days the account keeps recordings. Null: as many as the platform. */
export async function daysOf(db: Db, userId: number): Promise<number | null> {
  const row = await db.selectFrom('users').select('recording_days').where('id', '=', userId).executeTakeFirst()
  return row?.recording_days ?? null
}

export async function setDays(tx: Tx, userId: number, days: number | null): Promise<void> {
  await tx.updateTable('users').set({ recording_days: days }).where('id', '=', userId).execute()
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
        and not exists (select from report where t.hash in (zip_hash, cc_hash, dtmf_hash))
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

/** Forgets recordings that no dialer has given us in all that time. */
export async function forgetDue(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('recording_due').where('began_at', '<', before).execute()
}
