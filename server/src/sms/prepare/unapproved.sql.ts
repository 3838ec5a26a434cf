import { refusedKeptMax } from '@ghanti/contract/refused.ts'
import { run, statement, type Queryable } from '../../dispatch/statement.ts'
import { fenced, leaseFence, type SmsLease } from '../model/lease.sql.ts'

/**
 * Applies a decision to rows whose values waited for it: they become due messages, behind all others, or refused lines. The claim checks
 * blacklists again. $4 campaign $5 rows at most $6 slot $7 refused lines that are kept
 */
const decideStatement = statement<{ decided: number }>(
  'sms_decide_values',
  `with ${leaseFence}, one as materialized (
  select c.id, c.uploaded, c.values_decision, c.values_reason from lease, sms_campaign c where c.id = $4 and c.unapproved > 0 and c.values_decision <> 'pending' for no key update of c
), queue_rows as materialized (
  select u.line from one, sms_unapproved u where u.campaign_id = $4 order by u.line limit $5
), decisions as (
  delete from sms_unapproved u where u.campaign_id = $4 and u.line = any (array(select line from queue_rows)) returning u.*
), approvals as materialized (
  select t.*, o.uploaded - 1 + row_number() over (order by t.operator, t.line)::int as no from decisions t, one o where o.values_decision = 'approved'
), messages as (
  insert into sms_message (campaign_id, no, line, phone, operator, segments, state) select campaign_id, no, line, phone, operator, segments, 'waiting' from approvals order by no
), value_rows as (
  insert into sms_value (campaign_id, no, vars) select campaign_id, no, vars from approvals order by no
), streams as (
  insert into sms_stream (campaign_id, operator, fresh_next, fresh_end) select distinct campaign_id, operator, 0, 0 from approvals on conflict do nothing
), queue as (
  insert into sms_retry (campaign_id, operator, due_at, no) select campaign_id, operator, now(), no from approvals
), counts as (
  insert into sms_campaign_count as k (campaign_id, slot, waiting) select $4, $6, count(*) from approvals having count(*) > 0
  on conflict (campaign_id, slot) do update set waiting = k.waiting + excluded.waiting
), refused_rows as (
  insert into sms_refused (campaign_id, line, text, reason)
  select t.campaign_id, t.line, right(t.phone::text, 10), t.reason || '; it was rejected: ' || o.values_reason from decisions t, one o where o.values_decision = 'rejected'
  order by t.line limit greatest(0, $7::int - (select count(*) from sms_refused r where r.campaign_id = $4)) on conflict do nothing
), refusals as (
  update sms_campaign_detail d set invalid = d.invalid + (select count(*) from decisions) from one o where d.campaign_id = o.id and o.values_decision = 'rejected'
), campaign_counts as (
  update sms_campaign c set uploaded = c.uploaded + (select count(*) from approvals), unapproved = c.unapproved - (select count(*) from decisions) from one o where c.id = o.id
)
select count(*)::int as decided from decisions`,
)

/** For a running campaign; repeat until it returns 0. */
export async function decideUnapproved(
  db: Queryable,
  lease: SmsLease,
  { campaignId, rows, slot }: { campaignId: number; rows: number; slot: number },
): Promise<number> {
  const values = [campaignId, rows, slot, refusedKeptMax]
  return (await run(db, decideStatement, [...fenced(lease), ...values]))[0]?.decided ?? 0
}
