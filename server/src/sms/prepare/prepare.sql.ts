import type { AccountType } from '@ghanti/contract/roles.ts'
import { from as copyFrom } from 'pg-copy-streams'
import type { PoolClient } from 'pg'
import { refusedKeptMax } from '@ghanti/contract/refused.ts'
import type { CampaignStatus } from '../../db/tables.ts'
import { run, statement, type Queryable } from '../../dispatch/statement.ts'
import type { FileTotals } from '../../modules/contacts/rules.ts'
import { fenced, leaseFence, type SmsLease } from '../model/lease.sql.ts'

export type PreparedSms = {
  status: CampaignStatus
  account_id: number
  account_type: AccountType
  template: number
  text: string
  file_hash: string
  /** Of its file, as people number its lines. */
  first_line: number
  /** In its file. */
  rows: number
  /** Operators that have approved its sender ID; null when none has, or it is deleted. */
  operators: number[] | null
}

const campaignStatement = statement<PreparedSms>(
  'sms_prepare_campaign',
  `select c.status, c.account_id, u.account_type, d.template, d.text, b.file_hash, b.first_line, b.rows,
  case when d.sender_id is null then '{1,2,3}'::smallint[] else (select operators from sms_sender e where e.id = d.sender_id and e.deleted_at is null and e.status = 'approved') end as operators
from sms_campaign c join sms_campaign_detail d on d.campaign_id = c.id join base b on b.id = d.base_id join users u on u.id = c.account_id where c.id = $1`,
)

export async function loadPreparedSms(db: Queryable, campaignId: number): Promise<PreparedSms | undefined> {
  return (await run(db, campaignStatement, [campaignId]))[0]
}

/** One transaction for all rows, with plans for freshly filled tables. False when another connection prepares this campaign. */
export async function beginSmsImport(client: PoolClient, campaignId: number): Promise<boolean> {
  await client.query('begin')
  await client.query("set local plan_cache_mode = auto; set local enable_seqscan = on; set local work_mem = '64MB'")
  const { rows } = await client.query<{ alone: boolean }>(
    "select pg_try_advisory_xact_lock(hashtext('prepare an sms campaign'), $1) as alone",
    [campaignId],
  )
  return rows[0]?.alone === true
}

/**
 * Takes contacts/worker-thread.ts's lines: a row to send has phone and segments, a landline only a phone, a refused row text and reason, a row that
 * needs approval phone and reason.
 */
export async function openSmsCopy(client: PoolClient) {
  await client.query(
    'create temp table sms_import (line int, phone bigint, operator smallint, segments smallint, vars jsonb, text text, reason text, of_file boolean) on commit drop',
  )
  return client.query(copyFrom('copy sms_import from stdin'))
}

/** `unapproved` rows are not part of `uploaded`. */
export type SmsImportCounts = { uploaded: number; unreachable: number; unapproved: number }

/**
 * Numbers rows by operator in the order of the file, then landlines, which no cursor reads. Whether a row is blacklisted is decided, and shown, when its turn
 * has come (voice/prepare/prepare.sql.ts).
 */
export async function numberSmsRows(client: PoolClient): Promise<SmsImportCounts> {
  await client.query(
    `analyze sms_import;
    create temp table sms_numbered (no int, line int, phone bigint, operator smallint, segments smallint, vars jsonb, state sms_state) on commit drop`,
  )
  await client.query(
    `insert into sms_numbered
    select row_number() over (order by t.state <> 'fresh', t.operator, t.line) - 1, t.line, t.phone, t.operator, t.segments, t.vars, t.state from (
      select i.line, i.phone, i.operator, coalesce(i.segments, 1) as segments, i.vars,
        case when i.segments is null then 'unreachable'::sms_state else 'fresh' end as state
      from sms_import i where i.phone is not null and i.reason is null
    ) t`,
  )
  await client.query('create unique index on sms_numbered (no); analyze sms_numbered')
  const { rows } = await client.query<SmsImportCounts>(
    `select count(*)::int as uploaded, count(*) filter (where state = 'unreachable')::int as unreachable,
      (select count(*) from sms_import where phone is not null and reason is not null)::int as unapproved from sms_numbered`,
  )
  return rows[0] ?? { uploaded: 0, unreachable: 0, unapproved: 0 }
}

/** Stores rows numbered from `from` to below `to`, in order, so that sending reads pages sequentially. */
export async function storeSmsRows(
  client: PoolClient,
  campaignId: number,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await client.query(
    `insert into sms_message (campaign_id, no, line, phone, operator, segments, state)
    select $1, no, line, phone, operator, segments, state from sms_numbered where no >= $2 and no < $3 order by no`,
    [campaignId, from, to],
  )
  await client.query(
    `insert into sms_value (campaign_id, no, vars) select $1, no, vars from sms_numbered where vars is not null and no >= $2 and no < $3 order by no`,
    [campaignId, from, to],
  )
}

/** Stores each operator's cursor and the first refused rows: the text's for this campaign, the file's once for all its campaigns. */
export async function storeSmsRest(client: PoolClient, campaignId: number, refusedOfFile: number): Promise<void> {
  await client.query(
    `insert into sms_stream (campaign_id, operator, fresh_next, fresh_end)
    select $1, operator, min(no), max(no) + 1 from sms_numbered where state = 'fresh' group by operator`,
    [campaignId],
  )
  await client.query(
    `insert into sms_refused (campaign_id, line, text, reason)
    select $1, line, text, reason from sms_import where phone is null and not of_file order by line limit $2`,
    [campaignId, refusedKeptMax],
  )
  await client.query(
    `insert into sms_unapproved (campaign_id, line, phone, operator, segments, vars, reason)
    select $1, line, phone, operator, segments, coalesce(vars, '{}'), reason from sms_import where phone is not null and reason is not null order by line`,
    [campaignId],
  )
  await client.query(
    `with counts as (
      update base b set refused = $2 from sms_campaign_detail d where d.campaign_id = $1 and b.id = d.base_id and b.refused is null returning b.id
    )
    insert into base_refused (base_id, line, text, reason)
    select c.id, i.line, i.text, i.reason from counts c, sms_import i where i.of_file order by i.line`,
    [campaignId, refusedOfFile],
  )
}

export type PublishedSms = SmsImportCounts & {
  status: 'ready' | 'refused'
  reason: string | null
  /** The file's counts, with rows that the text refuses among the invalid; null when it could not be read. */
  file: Pick<FileTotals, 'rows' | 'invalid' | 'duplicate' | 'valueBytes'> | null
  /** How many refused lines are kept for this campaign. */
  refusedKept: number
}

/**
 * The last statement: the campaign leaves 'processing' with its rows, unless it was stopped or put on hold meanwhile. $4 campaign $5 status
 * $6 reason $7 rows $8 rows that need approval
 */
const publishStatement = statement<{ id: number }>(
  'sms_publish',
  `with ${leaseFence}
update sms_campaign c set status = $5, reason = $6, uploaded = $7, unapproved = $8 from lease where c.id = $4 and c.status = 'processing' returning c.id`,
)

/** False when it is no longer processing, or another engine prepares it: roll back. */
export async function publishSms(
  client: PoolClient,
  lease: SmsLease,
  campaignId: number,
  made: PublishedSms,
): Promise<boolean> {
  const { status, reason, uploaded, unreachable, unapproved, file } = made
  const published = [campaignId, status, reason, uploaded, unapproved]
  if ((await run(client, publishStatement, [...fenced(lease), ...published])).length !== 1) return false
  await client.query(
    `insert into sms_campaign_count as k (campaign_id, slot, fresh, unreachable) values ($1, 0, $2, $3)
    on conflict (campaign_id, slot) do update set fresh = excluded.fresh, unreachable = excluded.unreachable`,
    [campaignId, uploaded - unreachable, unreachable],
  )
  await client.query(
    'update sms_campaign_detail set rows_in_file = $2, invalid = $3, duplicate = $4, unreachable = $5 where campaign_id = $1',
    [campaignId, file?.rows ?? 0, file?.invalid ?? 0, file?.duplicate ?? 0, unreachable],
  )
  const storedBytes = file && uploaded + unapproved > 0 ? file.valueBytes : 0
  await client.query('update sms_campaign_progress set stored_rows = $2, stored_bytes = $3 where campaign_id = $1', [
    campaignId,
    uploaded + unapproved + made.refusedKept,
    storedBytes,
  ])
  await client.query('select sms_write_progress(array[$1::int])', [campaignId])
  return true
}

/** Reports progress to the screens. $1 campaign $2 words */
const reportStatement = statement<{ id: number }>(
  'sms_report_preparing',
  `with changes as (update sms_campaign set reason = $2 where id = $1 and status = 'processing' returning id),
progress as (update sms_campaign_progress p set reason = $2, changed_at = clock_timestamp() from changes c where p.campaign_id = c.id)
select id from changes`,
)

/** False when it is no longer processing. Uses its own connection, because the import's transaction is not visible before it commits. */
export async function reportPreparingSms(db: Queryable, campaignId: number, words: string): Promise<boolean> {
  return (await run(db, reportStatement, [campaignId, words])).length === 1
}
