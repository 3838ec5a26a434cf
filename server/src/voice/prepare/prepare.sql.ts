import { from as copyFrom } from 'pg-copy-streams'
import type { PoolClient } from 'pg'
import { refusedOf, type FileTotals, type SpokenFrom } from '../../modules/contacts/rules.ts'
import { refusedKeptMax } from '@ghanti/contract/refused.ts'
import type { AccountType } from '@ghanti/contract/roles.ts'
import type { CampaignStatus } from '../../db/tables.ts'
import type { OperatorRanges } from '@ghanti/contract/operators.ts'
import { arrayText, fenced, leaseFence, run, statement, type Lease, type Queryable } from '../../dispatch/statement.ts'

/** What is prepared. */
export type PreparedCampaign = {
  status: CampaignStatus
  template_id: number
  file_hash: string
  /** Of its file, as people number its lines. */
  first_line: number
  spoken_from: SpokenFrom
  rows: number
  account_id: number
  flow: unknown
  /** At the user's level. */
  pulse_ms: number
  pulse_paisa: number
  /** Of the contact file's columns. */
  date_orders: unknown
  /** The texts that follow its calls, in the order of their numbers. Null: none. */
  texts: string[] | null
  /** With texts: the price of a segment, and the operators that its sender ID is approved for. */
  segment_paisa: number | null
  operators: number[] | null
  account_type: AccountType
  /** Its caller ID's route names operators. */
  by_operator: boolean
}

const campaignStatement = statement<PreparedCampaign>(
  'prepare_campaign',
  `select c.status, d.template_id, b.file_hash, b.first_line, b.spoken_from, b.date_orders, b.rows, c.account_id, d.flow, l.pulse_ms, l.pulse_paisa,
  (select array_agg(t.text order by t.no) from call_text t where t.campaign_id = c.id) as texts, m.price_paisa as segment_paisa, e.operators, u.account_type,
  exists (select from cli i join call_route_step s on s.route_id = i.route_id where i.id = c.cli_id and s.operators is not null) as by_operator
from campaign c join campaign_detail d on d.campaign_id = c.id join base b on b.id = d.base_id join users u on u.id = c.account_id
  join campaign_level l on l.campaign_id = c.id and l.level = 0 left join sms_campaign m on m.call_campaign_id = c.id left join sms_campaign_detail n on n.campaign_id = m.id
  left join sms_sender e on e.id = n.sender_id where c.id = $1`,
)

export async function loadPrepared(db: Queryable, campaignId: number): Promise<PreparedCampaign | undefined> {
  return (await run(db, campaignStatement, [campaignId]))[0]
}

/** Begins one transaction for all rows, with query plans for tables that have just been filled. False: another connection prepares this campaign. */
export async function beginImport(client: PoolClient, campaignId: number): Promise<boolean> {
  await client.query('begin')
  await client.query("set local plan_cache_mode = auto; set local enable_seqscan = on; set local work_mem = '64MB'")
  const { rows } = await client.query<{ alone: boolean }>(
    "select pg_try_advisory_xact_lock(hashtext('prepare a campaign'), $1) as alone",
    [campaignId],
  )
  return rows[0]?.alone === true
}

/** Takes contacts/worker-thread.ts's text. Accepted rows have a phone, refused ones a text and a reason; rows that may still be refused have a text too. */
export async function openCopy(client: PoolClient) {
  await client.query(
    'create temp table contact_import (line int, phone bigint, turn int, vars jsonb, text text, reason text, of_file boolean, spoken text[], operator smallint, segments smallint[], unapproved boolean, withheld text[]) on commit drop',
  )
  return client.query(copyFrom('copy contact_import from stdin'))
}

/**
 * Numbers the accepted rows in the order of the file: first the first row of each number, which a cursor runs through, by operator where the campaign has a
 * cursor for each; then rows that follow another of their number. Numbers show in reports, so nothing may depend on blacklists
 * (docs/design.md#blacklists). `operators` null: one cursor runs through all.
 */
export async function numberRows(client: PoolClient, operators: OperatorRanges | null): Promise<ImportCounts> {
  await client.query(`analyze contact_import;
    create temp table contact_numbered (no int, line int, phone bigint, turn int, vars jsonb, stream smallint, follower_no int) on commit drop`)
  await client.query(
    `insert into contact_numbered
    select row_number() over (order by t.turn > 0, t.stream, t.line) - 1, t.line, t.phone, t.turn, t.vars, t.stream from (
      select i.line, i.phone, i.turn, i.vars, coalesce(($2::smallint[])[width_bucket(i.phone, $1::bigint[])], 0) as stream
      from contact_import i where i.phone is not null
    ) t`,
    [arrayText(operators?.boundaries ?? noOperators.boundaries), arrayText(operators?.codes ?? noOperators.codes)],
  )
  await client.query(
    `create unique index on contact_numbered (no); analyze contact_numbered;
    update contact_numbered n set follower_no = f.no from contact_numbered f where f.turn > 0 and n.phone = f.phone and n.turn = f.turn - 1`,
  )
  const { rows } = await client.query<ImportCounts>(
    'select count(*)::int as uploaded, count(*) filter (where turn = 0)::int as firsts from contact_numbered',
  )
  return rows[0] ?? { uploaded: 0, firsts: 0 }
}

const noOperators: OperatorRanges = { boundaries: [0], codes: [0] }

/** A cursor for each operator, and one for other numbers in any case. */
export async function storeStreams(client: PoolClient, campaignId: number): Promise<void> {
  await client.query(
    `insert into campaign_stream (campaign_id, stream, fresh_from, fresh_next, fresh_end)
    select $1, s.stream, coalesce(min(n.no), 0), coalesce(min(n.no), 0), coalesce(max(n.no) + 1, 0)
    from (select 0::smallint as stream union select stream from contact_numbered) s
      left join contact_numbered n on n.stream = s.stream and n.turn = 0 group by s.stream`,
    [campaignId],
  )
}

/** `uploaded` counts all accepted rows; `firsts` those that wait for no other. */
export type ImportCounts = { uploaded: number; firsts: number }

type Numbers = { from: number; to: number }

/** Rows with numbers from `from` on and below `to`, in order, so that calling reads pages in order. */
export async function storeRows(client: PoolClient, campaignId: number, { from, to }: Numbers): Promise<void> {
  await client.query(
    `insert into campaign_contact (campaign_id, no, line, phone, follower_no)
    select $1, no, line, phone, follower_no
    from contact_numbered where no >= $2 and no < $3 order by no`,
    [campaignId, from, to],
  )
  await client.query(
    `insert into contact_value (campaign_id, no, vars)
    select $1, no, vars from contact_numbered where vars is not null and no >= $2 and no < $3 order by no`,
    [campaignId, from, to],
  )
}

/** Stores which rows may be sent texts after their calls, and what the texts of one call may cost at most (rules-texts.ts `dearestSegments`). */
export async function storeCallTexts(
  client: PoolClient,
  campaignId: number,
  segmentPaisa: number,
): Promise<StoredTexts> {
  await client.query(
    `insert into call_text_row (campaign_id, no, operator, segments, withheld)
    select $1, n.no, i.operator, i.segments, i.withheld from contact_numbered n join contact_import i on i.line = n.line and i.phone is not null order by n.no`,
    [campaignId],
  )
  await client.query(
    `update campaign set message_paisa = $2::bigint * (
      select coalesce(max(greatest(x.fail, x.success + x.dtmf)), 0) from (
        select coalesce(max(u.segments) filter (where t.occasion = 'fail'), 0) as fail, coalesce(max(u.segments) filter (where t.occasion = 'success'), 0) as success,
          coalesce(max(u.segments) filter (where t.occasion = 'dtmf'), 0) as dtmf
        from call_text_row r cross join unnest(r.segments) with ordinality as u (segments, at) join call_text t on t.campaign_id = r.campaign_id and t.no = u.at - 1
        where r.campaign_id = $1 group by r.no) x)
    where id = $1`,
    [campaignId, segmentPaisa],
  )
  await client.query(
    `update sms_campaign_detail d set withheld = (
      select count(*) from contact_numbered n join contact_import i on i.line = n.line and i.phone is not null where i.unapproved)
    from sms_campaign s where s.call_campaign_id = $1 and d.campaign_id = s.id`,
    [campaignId],
  )
  const { rows } = await client.query<StoredTexts>(
    'select count(*)::int as rows, coalesce(sum(pg_column_size(t.*)), 0)::bigint as bytes from call_text_row t where campaign_id = $1',
    [campaignId],
  )
  return rows[0] ?? { rows: 0, bytes: 0 }
}

/** What the account stores because of this campaign (modules/quotas). */
type StoredTexts = { rows: number; bytes: number }

/**
 * Stores the first refused lines: those that the template refuses, for the campaign; those that are the file's own fault, once for all its
 * campaigns.
 */
export async function storeRefused(client: PoolClient, campaignId: number, refusedOfFile: number): Promise<void> {
  await client.query(
    `insert into campaign_refused (campaign_id, line, text, reason)
    select $1, line, text, reason from contact_import where phone is null and not of_file order by line limit $2`,
    [campaignId, refusedKeptMax],
  )
  await client.query(
    `with counts as (
      update base b set refused = $2 from campaign_detail d where d.campaign_id = $1 and b.id = d.base_id and b.refused is null returning b.id
    )
    insert into base_refused (base_id, line, text, reason)
    select c.id, i.line, i.text, i.reason from counts c, contact_import i where i.of_file order by i.line`,
    [campaignId, refusedOfFile],
  )
}

export type Published = ImportCounts & {
  status: 'ready' | 'refused'
  reason: string | null
  /** Of the file. Null: it could not be read. */
  file: Pick<FileTotals, 'rows' | 'invalid' | 'duplicate' | 'refusedOfFile' | 'valueBytes'> | null
  /** Where it sends texts after its calls. */
  texts?: StoredTexts | undefined
  /** Its cursors are those of its operators. */
  byOperator: boolean
}

/**
 * The last step: the campaign leaves 'processing' with its rows, unless it was stopped or put on hold meanwhile. $4 campaign ... $8 first rows $9 by
 * operator: its own cursor is then at the end
 */
const publishStatement = statement<{ id: number }>(
  'publish_prepared',
  `with ${leaseFence}
update campaign c set status = $5, reason = $6, uploaded = $7, fresh_end = $8, fresh_next = case when $9::boolean then $8 else 0 end, by_operator = $9 from lease
where c.id = $4 and c.dialer_id = $1 and c.status = 'processing' returning c.id`,
)

/** False: it is not processing any more, or another engine has the dialer: roll back. */
export async function publish(client: PoolClient, lease: Lease, campaignId: number, made: Published): Promise<boolean> {
  const values = [campaignId, made.status, made.reason, made.uploaded, made.firsts, made.byOperator]
  if ((await run(client, publishStatement, [...fenced(lease), ...values])).length !== 1) return false
  await client.query(
    `insert into campaign_count as k (campaign_id, slot, fresh) values ($1, 0, $2)
    on conflict (campaign_id, slot) do update set fresh = excluded.fresh`,
    [campaignId, made.uploaded],
  )
  await client.query(
    'update campaign_detail set rows_in_file = $2, invalid = $3, duplicate = $4, refused_of_file = $5 where campaign_id = $1',
    [
      campaignId,
      made.file?.rows ?? null,
      made.file?.invalid ?? null,
      made.file?.duplicate ?? null,
      made.file?.refusedOfFile ?? null,
    ],
  )
  await client.query(
    `update campaign_progress set uploaded = $2, pending = $2, fresh = $2, stored_rows = $3, stored_bytes = $4, text_rows = $5, changed_at = clock_timestamp() where campaign_id = $1`,
    [campaignId, made.uploaded, ...storedOf(made), made.texts?.rows ?? 0],
  )
  return true
}

/** Rows and bytes that the account stores because of this campaign (modules/quotas). */
function storedOf({ uploaded, file, texts }: Published): [rows: number, bytes: number] {
  if (!file) return [0, 0]
  return [uploaded + refusedOf(file).template.kept, uploaded > 0 ? file.valueBytes + (texts?.bytes ?? 0) : 0]
}

/** The progress, for the screens. $1 campaign $2 words */
const reportStatement = statement<{ campaign_id: number }>(
  'report_preparing',
  `with changes as (update campaign set reason = $2 where id = $1 and status = 'processing' returning id),
progress as (update campaign_progress p set reason = $2, changed_at = clock_timestamp() from changes c where p.campaign_id = c.id)
select id as campaign_id from changes`,
)

/** False: it is not processing any more. Needs a connection of its own, since nobody sees the import's transaction before its end. */
export async function reportPreparing(db: Queryable, campaignId: number, words: string): Promise<boolean> {
  return (await run(db, reportStatement, [campaignId, words])).length === 1
}
