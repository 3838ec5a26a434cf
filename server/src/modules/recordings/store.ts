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

/** Forgets recordings that no dialer has given us in all that time. */
export async function forgetDue(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('recording_due').where('began_at', '<', before).execute()
}
