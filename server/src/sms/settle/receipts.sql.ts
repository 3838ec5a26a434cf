import { arraysOf, run, statement, type Queryable } from '../../dispatch/statement.ts'
import { idKeysInOtherBase } from '../../drivers/sms/driver.ts'
import { earlyReceiptsMax } from '../../modules/sms-gateways/rules-callback.ts'
import { fenced, leaseFence, type SmsLease } from '../model/lease.sql.ts'

export type FinalReceipt = {
  idKey: string
  state: 'delivered' | 'failed' | 'expired'
  reason: string | null
  /** The gateway's time of the event; null when it gives none. */
  at: Date | null
}

/**
 * Applies receipts from `reported`: a segment takes its first receipt, its message follows, unmatched receipts wait. A message is delivered
 * when all its segments are. Gateways' clocks differ, and may leave out the seconds: nothing is delivered before it was submitted. `offset 0`, and no constant in `hits`, make PostgreSQL look segments up one by one: plans are made once on an
 * empty table, and a join would read every segment of the gateway.
 */
const applied = (reported: string, rest: string): string => `with ${leaseFence}, ${reported}, segments as materialized (
  select t.*, g.* from reports t, lateral (select g.gateway_id, g.state as before from sms_segment_id g where g.gateway_id = $1 and g.id_key = t.id_key offset 0) g
), hits as (
  update sms_segment_id g set state = t.state from segments t, lease where t.before is null and g.gateway_id = t.gateway_id and g.id_key = t.id_key and g.state is null
  returning g.id_key, g.sms_id, g.campaign_id, g.no, g.state, t.reason, coalesce(t.at, now()) as at
), rows as materialized (
  select campaign_id, no, sms_id, count(*)::int as parts, count(*) filter (where state <> 'delivered')::int as bad, max(at) as at,
    (array_agg(state order by state = 'failed' desc, state = 'expired' desc))[1] as worst, (array_agg(reason order by state = 'failed' desc, state = 'expired' desc))[1] as reason
  from hits group by campaign_id, no, sms_id
), messages as (
  update sms_message m set parts_left = greatest(0, m.parts_left - r.parts), parts_bad = m.parts_bad + r.bad,
    state = case when r.bad > 0 then r.worst::text::sms_state when m.parts_left <= r.parts then 'delivered' else m.state end,
    final_at = case when r.bad > 0 or m.parts_left <= r.parts then greatest(r.at, m.submitted_at) else m.final_at end,
    reason = case when r.bad > 0 then r.reason when m.parts_left <= r.parts then null else m.reason end
  from rows r where m.campaign_id = r.campaign_id and m.no = r.no and m.sms_id = r.sms_id and m.state in ('submitted', 'unknown')
  returning m.campaign_id, m.sms_id, old.state as before, new.state as after
), proofs as ( -- an unknown one that a receipt proves is settled for its certain segments, by the coordinator
  update sms_open o set proven_at = now() where o.id = any (array(select sms_id from messages where before = 'unknown')) and o.unknown_at is not null and o.proven_at is null
), counts as (
  insert into sms_campaign_count as k (campaign_id, slot, submitted, unknown, delivered, failed, expired)
  select campaign_id, $4, -count(*) filter (where before = 'submitted'), -count(*) filter (where before = 'unknown'), count(*) filter (where after = 'delivered'),
    count(*) filter (where after = 'failed'), count(*) filter (where after = 'expired')
  from messages where before <> after group by campaign_id order by campaign_id
  on conflict (campaign_id, slot) do update set submitted = k.submitted + excluded.submitted, unknown = k.unknown + excluded.unknown,
    delivered = k.delivered + excluded.delivered, failed = k.failed + excluded.failed, expired = k.expired + excluded.expired returning campaign_id
), news as ( -- for the counters of /insight
  insert into sms_news (what, ids) select (case after when 'delivered' then 'delivered' else 'undelivered' end)::sms_news_kind, array_agg(sms_id)
  from messages where after in ('delivered', 'failed', 'expired') group by 1
)${rest}`

/**
 * Of two receipts for one segment the first counts; the others, and receipts for finished messages, are counted as `repeated`. $4 slot,
 * then arrays as in FinalReceipt; $9 how many unmatched receipts may wait.
 */
const receiptsStatement = statement<{ campaign_id: number | null; unmatched: string[] | null }>(
  'sms_receipts',
  applied(
    `reports as materialized (
  select distinct on (id_key) * from unnest($5::text[], $6::sms_receipt_state[], $7::text[], $8::timestamptz[]) with ordinality as t (id_key, state, reason, at, report_no) order by id_key, report_no
)`,
    `, strangers as materialized (
  select t.* from reports t, lease
  where not exists (select from segments k where k.id_key = t.id_key)
), early_receipts as (
  insert into sms_receipt_early (gateway_id, id_key, state, reason, at) select $1, id_key, state, reason, at from strangers
  order by id_key limit greatest(0, $9::int - (select count(*) from (select from sms_receipt_early e where e.gateway_id = $1 limit $9::int) kept))
  on conflict do nothing returning 1
), tallies as (
  insert into sms_gateway_count as c (gateway_id, receipts, repeated, unmatched)
  select $1, (select count(*) from hits), (select count(*) from reports) - (select count(*) from hits) - (select count(*) from strangers),
    (select count(*) from strangers) - (select count(*) from early_receipts) from lease
  on conflict (gateway_id) do update set receipts = c.receipts + excluded.receipts, repeated = c.repeated + excluded.repeated, unmatched = c.unmatched + excluded.unmatched
)
select campaign_id, null::text[] as unmatched from counts union all select null, array_agg(id_key) from strangers having count(*) > 0`,
  ),
)

export type ReceiptsTaken = {
  campaignIds: number[]
  /** Keys that belong to no known segment. */
  unmatched: string[]
}

export async function takeReceipts(
  db: Queryable,
  lease: SmsLease,
  slot: number,
  receipts: readonly FinalReceipt[],
): Promise<ReceiptsTaken> {
  if (receipts.length === 0) return { campaignIds: [], unmatched: [] }
  const columns = [...arraysOf(receipts, 'idKey', 'state', 'reason', 'at'), earlyReceiptsMax]
  const rows = await run(db, receiptsStatement, [...fenced(lease), slot, ...columns])
  return {
    campaignIds: rows.flatMap((row) => row.campaign_id ?? []),
    unmatched: rows.flatMap((row) => row.unmatched ?? []),
  }
}

/** Receipts that arrived before their answer, or by callback, and whose segment is known now. $4 slot */
const earlyStatement = statement<{ campaign_id: number }>(
  'sms_early_receipts',
  applied(
    `reports as (
  delete from sms_receipt_early e using lease where e.gateway_id = $1
    and exists (select from sms_segment_id g where g.gateway_id = $1 and g.id_key = e.id_key offset 0)
  returning e.id_key, e.state, e.reason, e.at
)`,
    `, tallies as (
  insert into sms_gateway_count as c (gateway_id, receipts, repeated)
  select $1, (select count(*) from hits), (select count(*) from reports) - (select count(*) from hits) from lease where exists (select from reports)
  on conflict (gateway_id) do update set receipts = c.receipts + excluded.receipts, repeated = c.repeated + excluded.repeated
)
select campaign_id from counts`,
  ),
)

export async function matchEarlyReceipts(db: Queryable, lease: SmsLease, slot: number): Promise<number[]> {
  return (await run(db, earlyStatement, [...fenced(lease), slot])).map((row) => row.campaign_id)
}

/** Answers take seconds; an older receipt that matches nothing belongs to no message. */
const strangeSeconds = 60

const strangersStatement = statement<{ id_key: string }>(
  'sms_strange_receipts',
  `select id_key from sms_receipt_early where gateway_id = $1 and received_at < now() - interval '${strangeSeconds} seconds' limit 1000`,
)

/** $4 slot $5 keys of receipts $6 the same ids in another base */
const otherBaseStatement = statement<{ campaign_id: number }>(
  'sms_receipts_in_other_base',
  applied(
    `reports as (
  delete from sms_receipt_early e using unnest($5::text[], $6::text[]) as t (id_key, other_key), lease
  where e.gateway_id = $1 and e.id_key = t.id_key
    and exists (select from sms_segment_id g where g.gateway_id = $1 and g.id_key = t.other_key offset 0)
  returning t.other_key as id_key, e.state, e.reason, e.at
)`,
    `
select campaign_id from counts`,
  ),
)

/** Some gateways write ids in receipts in another base than in answers. Returns the campaigns that changed. */
export async function matchInOtherBase(db: Queryable, lease: SmsLease, slot: number): Promise<number[]> {
  const strangers = await run(db, strangersStatement, [lease.gatewayId])
  const pairs = strangers.flatMap(({ id_key: key }) => idKeysInOtherBase(key).map((other) => [key, other] as const))
  if (pairs.length === 0) return []
  const columns = arraysOf(pairs, 0, 1)
  return (await run(db, otherBaseStatement, [...fenced(lease), slot, ...columns])).map((row) => row.campaign_id)
}

const forgetStatement = statement(
  'sms_forget_receipts',
  `with removals as (
  delete from sms_receipt_early where gateway_id = $1 and received_at < now() - 2 * interval '${strangeSeconds} seconds' returning 1
)
insert into sms_gateway_count as c (gateway_id, unmatched) select $1, count(*) from removals having count(*) > 0
on conflict (gateway_id) do update set unmatched = c.unmatched + excluded.unmatched`,
)

/** Counts and deletes receipts that will never match. */
export async function forgetReceipts(db: Queryable, gatewayId: number): Promise<void> {
  await run(db, forgetStatement, [gatewayId])
}

const oldStatement = statement(
  'sms_forget_old',
  `with days as (delete from sms_number_day where day < nepal_day(now()) - 1)
delete from sms_segment_id where at < now() - interval '7 days'`,
)

/** Deletes ids of segments after a week, when no receipt needs them, and counters of past days, which cap nothing. */
export async function forgetOld(db: Queryable): Promise<void> {
  await run(db, oldStatement, [])
}
