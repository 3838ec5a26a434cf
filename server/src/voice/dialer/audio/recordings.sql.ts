import type { PoolClient } from 'pg'
import type { Language } from '@ghanti/contract/templates.ts'
import type { NotRecorded } from '../../../db/tables.ts'
import { settings } from '../../../modules/platform/rules.ts'
import { run, statement, type Queryable } from '../../../dispatch/statement.ts'

export type Due = { id: string; attempt_id: number; campaign_id: number; began_at: Date; tries: number }

/**
 * A recording that is stored, or was stored and then removed, is not wanted again, even if an engine that adopts its call believes it has
 * just begun.
 */
const begunStatement = statement(
  'recording_begun',
  `insert into recording_due (id, attempt_id, campaign_id, dialer_id) select $1::uuid, $2::bigint, $3::int, $4::int
where not exists (select from recording where id = $1) and not exists (select from recording_removed where id = $1) on conflict (id) do nothing`,
)

export type Begun = { recordingId: string; attemptId: number; campaignId: number; dialerId: number }

export async function recordingBegun(db: Queryable, of: Begun): Promise<void> {
  await run(db, begunStatement, [of.recordingId, of.attemptId, of.campaignId, of.dialerId])
}

/** $1 account $2 MB where no setting says otherwise. Recordings under way count by how long they have lasted. */
const roomStatement = statement<{ has_room: boolean }>(
  'recording_room',
  `select (select coalesce(sum(greatest(size_bytes, 4096)), 0) from recording where account_id = $1::int)
  + (select coalesce(sum(least(extract(epoch from now() - d.began_at), 3600) * 16000), 0) from recording_due d join campaign c on c.id = d.campaign_id
     where c.account_id = $1 and d.given_up_at is null)
  < coalesce((select (value->>'recordingMegabytes')::bigint from platform_setting where key = 'quotas'), $2::bigint) * 1000000 as has_room`,
)

/** Whether the account may store another recording. */
export async function hasRoom(db: Queryable, accountId: number): Promise<boolean> {
  const [row] = await run(db, roomStatement, [accountId, settings.quotas.fallback.recordingMegabytes])
  return row?.has_room ?? true
}

/** An account without room is told at most once a day. $1 attempt $2 why $3 account $4 MB where no setting says otherwise */
const withheldStatement = statement(
  'recording_withheld',
  `with reason as (
  insert into recording_withheld (attempt_id, why) values ($1::bigint, $2::not_recorded) on conflict do nothing returning why
)
select give_notice($3::int, 'recordingsFull', $3, coalesce((select value->>'recordingMegabytes' from platform_setting where key = 'quotas'), $4::text), null, null)
from reason where why = 'noRoom' and not exists (select from notice n where n.user_id = $3 and n.kind = 'recordingsFull' and n.at > now() - interval '1 day')`,
)

/** Writes down why a conversation is not recorded. */
export async function recordingWithheld(
  db: Queryable,
  of: { attemptId: number; accountId: number; why: NotRecorded },
): Promise<void> {
  await run(db, withheldStatement, [
    of.attemptId,
    of.why,
    of.accountId,
    String(settings.quotas.fallback.recordingMegabytes),
  ])
}

const noticeStatement = statement<NoticeSound>(
  'recording_notice',
  `select language, file_hash as hash, duration_ms as "durationMs" from recording_notice
where exists (select from platform_setting where key = $1 and value = 'true')`,
)

export type NoticeSound = { language: Language; hash: string; durationMs: number }

/** What is heard before a recording, in each language. None: nothing. */
export function loadNotice(db: Queryable): Promise<NoticeSound[]> {
  return run(db, noticeStatement, [settings.recordingNotice.key])
}

const endedStatement = statement(
  'recording_ended',
  'update recording_due set next_at = now() where id = $1 and next_at is null and given_up_at is null',
)

export async function recordingEnded(db: Queryable, recordingId: string): Promise<void> {
  await run(db, endedStatement, [recordingId])
}

const neverStatement = statement('recording_never', 'delete from recording_due where id = $1 and next_at is null')

export async function recordingNever(db: Queryable, recordingId: string): Promise<void> {
  await run(db, neverStatement, [recordingId])
}

/** Dialers from which a recording is to be fetched. */
export const dialersWithDue = 'select distinct dialer_id from recording_due where next_at <= now()'

const dueStatement = statement<Due>(
  'due_recordings',
  `select id, attempt_id, campaign_id, began_at, tries from recording_due where dialer_id = $1 and next_at <= now() order by next_at limit $2`,
)

export function dueRecordings(db: Queryable, dialerId: number, limit: number): Promise<Due[]> {
  return run(db, dueStatement, [dialerId, limit])
}

/**
 * Recordings whose end nobody reported: the dialer lists them as ended, or their call has been over for a minute. In that case the dialer lost
 * the recording, and fetching will show it. $1 dialer $2 what the dialer has
 */
const missedStatement = statement(
  'missed_recordings',
  `update recording_due d set next_at = now() where d.dialer_id = $1 and d.next_at is null and d.given_up_at is null and (d.id = any ($2::uuid[])
  or not exists (select from attempt_open o where o.id = d.attempt_id)
    and not exists (select from attempt a where a.id = d.attempt_id and a.settled_at > now() - interval '1 minute'))`,
)

export async function findMissed(db: Queryable, dialerId: number, stored: readonly string[]): Promise<void> {
  await run(db, missedStatement, [dialerId, stored])
}

const knownStatement = statement<{ id: string; is_done: boolean }>(
  'known_recordings',
  `select s.id, r.id is not null or g.id is not null as is_done
from unnest($1::uuid[]) as s (id) left join recording r on r.id = s.id left join recording_removed g on g.id = s.id
where r.id is not null or g.id is not null or exists (select from recording_due d where d.id = s.id)`,
)

/** Those of these recordings that belong to calls of ours; `is_done`: it is stored here, or was removed here since. */
export function knownOf(db: Queryable, ids: readonly string[]): Promise<{ id: string; is_done: boolean }[]> {
  return run(db, knownStatement, [ids])
}

/** $1 id $2 attempt $3 campaign $4 file $5 ms $6 when it began $7 bytes */
const storedStatement = statement(
  'recording_stored',
  `with recordings as (
  insert into recording (id, attempt_id, campaign_id, account_id, file_hash, duration_ms, at, size_bytes)
  select $1, $2, $3, c.account_id, $4, $5, $6, $7 from campaign c where c.id = $3 on conflict (id) do nothing
), removals as (
  delete from recording_due where id = $1
)
select clear_alert('recording', 'attempt ' || $2::bigint)`,
)

export type Stored = { hash: string; durationMs: number; bytes: number; isThere: () => Promise<boolean> }

/** False: housekeeping has just removed the same bytes of an older recording; nothing is written then. */
export async function recordingStored(client: PoolClient, due: Due, stored: Stored): Promise<boolean> {
  await client.query('begin')
  await client.query("select pg_advisory_xact_lock(hashtext('file ' || $1))", [stored.hash])
  const isThere = await stored.isThere()
  const { id, attempt_id, campaign_id, began_at } = due
  if (isThere)
    await run(client, storedStatement, [
      id,
      attempt_id,
      campaign_id,
      stored.hash,
      stored.durationMs,
      began_at,
      stored.bytes,
    ])
  await client.query('commit')
  return isThere
}

/** After the last try there is no next one. $1 id $2 error $3 ms until the next try $4 tries at most */
const failedStatement = statement(
  'recording_failed',
  `with failure as (
  update recording_due set tries = tries + 1, error = $2,
    next_at = case when tries + 1 < $4::int then now() + $3::int * interval '1 ms' end, given_up_at = case when tries + 1 >= $4::int then now() end
  where id = $1
  returning 'attempt ' || attempt_id as subject,
    case when given_up_at is null then $2 else 'given up after ' || tries || ' tries, it stays on the dialer as ' || id || '.wav: ' || $2 end as detail, given_up_at
)
select raise_alert('recording', f.subject, f.detail), case when f.given_up_at is not null then retell_alert('recording', f.subject, f.detail) end from failure f`,
)

export async function recordingFailed(
  db: Queryable,
  id: string,
  error: string,
  { retryInMs, triesMax }: { retryInMs: number; triesMax: number },
): Promise<void> {
  await run(db, failedStatement, [id, error, Math.round(retryInMs), triesMax])
}
