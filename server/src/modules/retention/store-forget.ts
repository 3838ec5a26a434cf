/** Removes the data of a deleted campaign in batches. Each statement handles a limited number of rows and returns how many it found. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { exportGone, type Kind } from './rules.ts'

const deletedOf = { calls: sql.table('campaign_deleted'), messages: sql.table('sms_campaign_deleted') }
const progressOf = { calls: sql.table('campaign_progress'), messages: sql.table('sms_campaign_progress') }

const rowTables = {
  calls: [
    'contact_value',
    'contact_speech',
    'contact_retry',
    'campaign_stream',
    'campaign_refused',
    'call_text_row',
    'after_call_message',
    'after_call_option',
    'test_call_line',
    'sip_trace',
    'campaign_contact',
  ],
  messages: ['sms_value', 'api_send', 'sms_retry', 'sms_refused', 'sms_unapproved', 'sms_inbox', 'sms_message'],
} as const

/** Why a finished campaign cannot be deleted yet, continuing a sentence after its name; null when nothing of it is under way. */
export async function stillUnderWay(tx: Tx, kind: Kind, campaignId: number): Promise<string | null> {
  if (kind === 'calls') {
    const { rows } = await sql<{ calls: boolean; texts: string | null }>`
      select exists (select from attempt_open where campaign_id = any (array(${family(campaignId)}))) as calls,
        (select p.name from sms_campaign s join sms_campaign_progress p on p.campaign_id = s.id
          where s.call_campaign_id = ${campaignId} and s.status not in ('complete', 'cancelled', 'refused', 'failed')) as texts`.execute(
      tx,
    )
    if (rows[0]?.calls) return 'has calls under way: delete it when they have ended'
    if (rows[0]?.texts) return 'has an SMS campaign that still sends its texts: stop that one first'
  }
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from sms_open where campaign_id = any (array(${messagesOf(kind, campaignId)}))) as waits`.execute(
    tx,
  )
  return rows[0]?.waits
    ? 'has messages whose fate is not known yet: delete it when it is, at the latest 72 hours after they were sent'
    : null
}

/** The campaign with its test calls and its Call Now, which are campaigns of their own. */
const family = (campaignId: number) => sql<{ id: number }>`
  select c.id from campaign c where c.id = ${campaignId} or c.test_of = ${campaignId}
    and c.account_id = (select account_id from campaign where id = ${campaignId})`

/** The SMS campaigns deleted with it: itself, or the one that carries the texts of its calls. */
const messagesOf = (kind: Kind, campaignId: number) =>
  kind === 'messages'
    ? sql<{ id: number }>`select ${campaignId}::int as id`
    : sql<{ id: number }>`select id from sms_campaign where call_campaign_id = ${campaignId}`

/** The campaign whose calls lead to its messages; undefined when there is none. */
export async function callsOf(tx: Tx, campaignId: number): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select p.name from sms_campaign s join campaign_progress p on p.campaign_id = s.call_campaign_id where s.id = ${campaignId}`.execute(
    tx,
  )
  return rows[0]?.name
}

/** Marks it and all that belongs to it as deleted: hidden, and its name is free. */
export async function markDeleted(
  tx: Tx,
  kind: Kind,
  campaignId: number,
  by: { userId: number; at: Date },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('campaign_deleted'))`.execute(tx)
  const mark = async (of: Kind, ids: ReturnType<typeof family>) => {
    await sql`
      insert into ${deletedOf[of]} (campaign_id, asked_at, by_user_id) select id, ${by.at}, ${by.userId} from (${ids}) f
      on conflict do nothing`.execute(tx)
    await sql`delete from ${nameOf[of]} where campaign_id in (${ids})`.execute(tx)
    await sql`insert into ${archivedOf[of]} (campaign_id) select id from (${ids}) f on conflict do nothing`.execute(tx)
    await sql`update ${progressOf[of]} set changed_at = clock_timestamp() where campaign_id in (${ids})`.execute(tx)
  }
  if (kind === 'calls') await mark('calls', family(campaignId))
  await mark('messages', messagesOf(kind, campaignId))
}
const nameOf = { calls: sql.table('campaign_name'), messages: sql.table('sms_campaign_name') }
const archivedOf = { calls: sql.table('campaign_archived'), messages: sql.table('sms_campaign_archived') }

/** Deletions wait until the transaction ends. */
export async function holdDeletions(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('campaign_deleted'))`.execute(tx)
}

export async function anyDeletedSince(
  tx: Tx,
  kind: Kind,
  campaignIds: readonly number[],
  since: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${deletedOf[kind]}
     where campaign_id = any (${campaignIds}::int[]) and (done_at is null or done_at >= ${since}) limit 1`.execute(tx)
  return rows.length > 0
}

export async function isDeleted(db: Db, kind: Kind, campaignId: number): Promise<boolean> {
  const { rows } = await sql`select from ${deletedOf[kind]} where campaign_id = ${campaignId}`.execute(db)
  return rows.length > 0
}

/** The first campaigns of the kind whose deletion is not complete. */
export async function unfinished(db: Db, kind: Kind, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select campaign_id as id from ${deletedOf[kind]} where done_at is null order by campaign_id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Contacts come last, because the other rows are found through them. */
export async function forgetRows(db: Db, kind: Kind, campaignId: number, limit: number): Promise<number> {
  for (const table of rowTables[kind]) {
    const { rows } = await sql<{ gone: number }>`
      with gone as (
        delete from ${sql.table(table)} where ctid = any (array(select ctid from ${sql.table(table)} where campaign_id = ${campaignId} limit ${limit})) returning 1
      ), counted as (select count(*)::int as n from gone), reported as (
        update ${deletedOf[kind]} set rows_done = rows_done + (select n from counted) where campaign_id = ${campaignId} and (select n from counted) > 0
      ) select n as gone from counted`.execute(db)
    const gone = rows[0]?.gone ?? 0
    if (gone > 0) return gone
  }
  return 0
}

/** Clears numbers, keys, agents and answers in the next calls or messages of the history; times and money stay. */
export async function forgetHistory(db: Db, kind: Kind, campaignId: number, limit: number): Promise<number> {
  const forget = sql.raw(kind === 'calls' ? 'forget_calls' : 'forget_sent')
  const { rows } = await sql<{ n: number }>`select ${forget}(${campaignId}, ${limit}) as n`.execute(db)
  return rows[0]?.n ?? 0
}

/** The next files with people of the campaign apart from recordings: its report, and exports. */
export async function namedFiles(db: Db, campaignId: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select hash from (
      select unnest(array[zip_hash, cc_hash, dtmf_hash]) as hash from report where campaign_id = ${campaignId}
      union select file_hash from export where filter ->> 'campaignId' = ${String(campaignId)}
      union select e.file_hash from export_holds m join export e on e.id = m.export_id where m.campaign_id = ${campaignId}
    ) files where hash is not null limit ${limit}`.execute(db)
  return rows.map(({ hash }) => hash)
}

/** What is left of an export whose file a deletion removed. The numbers that it was searched by go as well. */
const emptied = sql.raw(
  `status = 'failed', file_hash = null, expires_at = null, rows = 0, bytes = 0, filter = filter - '{search,agentNo}'::text[]`,
)

/** Removes every reference of the campaign to this file. Its exports stay for a week, and say why they have none. */
export async function unnameFile(tx: Tx, campaignId: number, hash: string): Promise<void> {
  await sql`
    update export set ${emptied}, reason = case when filter ->> 'campaignId' = ${String(campaignId)} then ${exportGone.made} else ${exportGone.ofMany} end
     where file_hash = ${hash} and (filter ->> 'campaignId' = ${String(campaignId)}
       or id in (select export_id from export_holds where campaign_id = ${campaignId}))`.execute(tx)
  await sql`update report set zip_hash = nullif(zip_hash, ${hash}), cc_hash = nullif(cc_hash, ${hash}), dtmf_hash = nullif(dtmf_hash, ${hash})
    where campaign_id = ${campaignId}`.execute(tx)
}

/** Ends the exports that have no file yet, and deletes the report's row. */
export async function forgetUnmade(db: Db, campaignId: number, at: Date): Promise<void> {
  await sql`
    update export set ${emptied}, reason = coalesce(reason, ${exportGone.unmade}), ended_at = coalesce(ended_at, ${at})
     where filter ->> 'campaignId' = ${String(campaignId)} and status <> 'ready'`.execute(db)
  await sql`delete from report where campaign_id = ${campaignId}`.execute(db)
}

export async function composedOf(
  db: Db,
  kind: Kind,
  campaignId: number,
): Promise<{ flow: unknown; baseId: number | null }> {
  const { rows } = await sql<{ flow: unknown; baseId: number | null }>`
    select ${kind === 'calls' ? sql`flow` : sql`null`} as flow, base_id as "baseId" from ${detailOf[kind]} where campaign_id = ${campaignId}`.execute(
    db,
  )
  return rows[0] ?? { flow: null, baseId: null }
}
const detailOf = { calls: sql.table('campaign_detail'), messages: sql.table('sms_campaign_detail') }

/** The last step: the composed settings contain agents, texts and addresses. `flow`: the campaign's, without telephone numbers. */
export async function finish(
  tx: Tx,
  kind: Kind,
  campaignId: number,
  { flow, at }: { flow: unknown; at: Date },
): Promise<void> {
  if (kind === 'calls') {
    await sql`update campaign_detail set composed = '{}', sms = null, flow = ${JSON.stringify(flow)}::jsonb where campaign_id = ${campaignId}`.execute(
      tx,
    )
    await sql`update call_text set text = '(deleted)' where campaign_id = ${campaignId}`.execute(tx)
  } else
    await sql`update sms_campaign_detail set composed = '{}', text = '(deleted)' where campaign_id = ${campaignId}`.execute(
      tx,
    )
  await sql`update ${progressOf[kind]} set stored_rows = 0, stored_bytes = 0, changed_at = clock_timestamp() where campaign_id = ${campaignId}`.execute(
    tx,
  )
  await sql`update ${deletedOf[kind]} set done_at = ${at} where campaign_id = ${campaignId}`.execute(tx)
}
