import { run, statement, type Queryable } from '../../dispatch/statement.ts'
import { fenced, leaseHeld, type SmsLease } from '../model/lease.sql.ts'

/**
 * - accepted  the gateway took all of it: paid
 * - refused   final; `accepted` segments were taken before and are paid
 * - unknown   its answer is lost: it keeps its reservation, and `accepted` segments are certain
 * - back      nothing of it was taken: it is retried after `retryInMs`
 * - settled   the end of an unknown message, only by the coordinator's lease: `accepted` segments are paid, the rest is released
 */
export type SmsOutcome = {
  smsId: number
  kind: 'accepted' | 'refused' | 'unknown' | 'back' | 'settled'
  /** Segments to pay for; ignored for 'accepted', which pays all. */
  accepted: number
  /** For 'back'. */
  retryInMs: number
  /** The gateway's fault, which counts against the row. */
  isFault: boolean
  /** For 'unknown': some answer arrived. */
  answered: boolean
  code: string | null
  reason: string | null
  /** The gateway's ids of accepted segments, by idKey. */
  idKeys: readonly string[]
}

/**
 * Outcomes of messages of one gateway (or, with the coordinator's lease, ends of unknown ones), in one statement: history, rows, ids for
 * receipts, every level's money, counters. An id that is no longer open changes nothing; of two outcomes for one message the first counts.
 * Returns the ids that counted. $4 slot, then arrays as in SmsOutcome; $13 and $14: segment ids and the message of each; $15 how many each
 * message has.
 */
const settleStatement = statement<{ id: number }>(
  'sms_settle',
  `with ${leaseHeld}, reported as materialized (
  select distinct on (id) * from unnest($5::bigint[], $6::text[], $7::int[], $8::int[], $9::boolean[], $10::boolean[], $11::text[], $12::text[], $15::int[])
    with ordinality as t (id, kind, accepted, retry_ms, is_fault, answered, code, reason, ids, told_no) order by id, told_no
), ended as (
  delete from sms_open o using reported t, lease where o.id = t.id and t.kind <> 'unknown'
    and case when t.kind = 'settled' then $1 = 0 and o.unknown_at is not null else o.gateway_id = $1 and o.unknown_at is null end
  returning o.id, o.gateway_id, o.campaign_id, o.no, o.account_id, o.phone, o.operator, o.segments, o.reserved_paisa, o.from_state, o.claimed_at, o.day, t.kind, t.retry_ms, case when o.is_held and t.kind = 'back' then o.reserved_paisa else 0 end as held_paisa, t.is_fault, t.code, t.reason, t.ids,
    case t.kind when 'accepted' then o.segments when 'back' then 0 else least(t.accepted, o.segments) end as accepted
), kept as (
  update sms_open o set unknown_at = now(), answered = t.answered, accepted = least(t.accepted, o.segments) from reported t, lease
  where o.id = t.id and t.kind = 'unknown' and o.gateway_id = $1 and o.unknown_at is null
  returning o.id, o.gateway_id, o.campaign_id, o.no, o.segments, t.reason
), charged as materialized (
  select e.*, least(e.reserved_paisa, e.accepted * l.segment_paisa) as paid_paisa from ended e join sms_campaign_level l on l.campaign_id = e.campaign_id and l.level = 0
), sums as materialized (
  select account_id, campaign_id, count(*) filter (where kind <> 'settled') n, sum(reserved_paisa - held_paisa)::bigint reserved_paisa, sum(paid_paisa)::bigint paid_paisa, sum(accepted) segments,
    count(*) filter (where accepted > 0) paid, count(*) filter (where kind = 'accepted') submitted, count(*) filter (where kind = 'refused') failed,
    count(*) filter (where kind = 'back' and from_state = 'fresh') fresh, count(*) filter (where kind = 'back' and from_state = 'waiting') waiting
  from charged group by account_id, campaign_id
), batches as materialized (
  select campaign_id, nextval('batch_id') as batch_id from sums where paid_paisa > 0
), history as (
  insert into sms_sent (id, batch_id, claimed_at, campaign_id, no, account_id, gateway_id, phone, operator, result, segments, accepted, cost_paisa, code, reason)
  select c.id, case when c.paid_paisa > 0 then b.batch_id end, c.claimed_at, c.campaign_id, c.no, c.account_id, c.gateway_id, c.phone, c.operator,
    case c.kind when 'accepted' then 'accepted'::sms_result when 'refused' then 'refused' else 'unknown' end, c.segments, c.accepted, c.paid_paisa, c.code, c.reason
  from charged c left join batches b on b.campaign_id = c.campaign_id where c.kind <> 'back' returning 1
), keys as materialized (
  select distinct on (k.id_key) k.id_key, e.id, e.gateway_id, e.campaign_id, e.no from unnest($13::text[], $14::bigint[]) as k (id_key, id)
    join (select id, gateway_id, campaign_id, no from ended where kind in ('accepted', 'refused') union all select id, gateway_id, campaign_id, no from kept) e on e.id = k.id
  order by k.id_key
), named as (
  insert into sms_segment_id as g (gateway_id, id_key, sms_id, campaign_id, no) select gateway_id, id_key, id, campaign_id, no from keys
  on conflict (gateway_id, id_key) do update set sms_id = excluded.sms_id, campaign_id = excluded.campaign_id, no = excluded.no, state = null, at = now()
  returning 1
), messages as (
  update sms_message m set state = e.state, faults = m.faults + e.fault, parts_left = e.parts_left, parts_bad = 0, gateway_id = e.gateway_id, sms_id = e.id,
    submitted_at = case when e.state = 'submitted' or e.state = 'unknown' then now() else m.submitted_at end,
    final_at = case when e.state = 'failed' then now() end, reason = e.reason
  from (
    select campaign_id, no, id, gateway_id, is_fault::int as fault, case kind when 'accepted' then 'submitted'::sms_state when 'refused' then 'failed' else from_state end as state,
      case when kind = 'accepted' then ids else 0 end as parts_left, case when kind = 'refused' then reason end as reason
    from ended where kind in ('accepted', 'refused') or kind = 'back' and is_fault
    union all select campaign_id, no, id, gateway_id, 0, 'unknown', segments, reason from kept
  ) e where m.campaign_id = e.campaign_id and m.no = e.no returning 1
), levels as materialized ( -- what each level pays
  select campaign_id, level, payer_id, payee_id, sum(paid_paisa)::bigint paid_paisa, count(*) paid
  from (
    select l.campaign_id, l.level, l.payer_id, l.payee_id, least(c.reserved_paisa, min(c.accepted * l.segment_paisa) over (partition by c.id order by l.level)) as paid_paisa
    from charged c join sms_campaign_level l on l.campaign_id = c.campaign_id where c.paid_paisa > 0
  ) priced where paid_paisa > 0 group by campaign_id, level, payer_id, payee_id
), locked_accounts as materialized (
  select a.id, a.balance_paisa, a.reserved_paisa from account a
  where a.id = any (array(select account_id from sums))
    and (select count(*) from history) + (select count(*) from messages) + (select count(*) from named) >= 0 -- the rows first: from here on claims wait
  order by a.id for no key update
), settled as (
  update account a set balance_paisa = p.balance_paisa - s.paid_paisa, reserved_paisa = p.reserved_paisa - s.reserved_paisa
  from (select account_id, sum(reserved_paisa)::bigint reserved_paisa, sum(paid_paisa)::bigint paid_paisa from sums group by account_id) s
  join locked_accounts p on p.id = s.account_id where a.id = s.account_id returning a.id, a.balance_paisa
), margins as materialized ( -- per account and campaign: what came in less what was paid on
  select account_id, campaign_id, sum(paisa)::bigint as paisa
  from (select payee_id as account_id, campaign_id, paid_paisa as paisa from levels union all select payer_id, campaign_id, -paid_paisa from levels where level > 0) t
  group by account_id, campaign_id having sum(paisa) <> 0
), earnings as materialized (
  select account_id, sum(paisa)::bigint as paisa from margins group by account_id
), earned as (
  insert into account_income as i (account_id, slot, paisa)
  select account_id, $4, paisa from earnings where (select count(*) from settled) > 0 order by account_id -- accounts first
  on conflict (account_id, slot) do update set paisa = i.paisa + excluded.paisa returning 1
), posted as (
  insert into transfer (batch_id, payer_id, payee_id, sms_campaign_id, level, kind, amount_paisa, attempts)
  select b.batch_id, l.payer_id, l.payee_id, l.campaign_id, l.level, 'sms', l.paid_paisa, l.paid from levels l join batches b on b.campaign_id = l.campaign_id
), entered as ( -- one line of history per account, campaign and Nepal's day; what a payee owns then is as of this statement's snapshot
  insert into credit_entry as h (account_id, action, sms_campaign_id, day, amount_paisa, balance_paisa)
  select t.account_id, t.action, t.campaign_id, nepal_day(now()), t.paisa,
    coalesce(s.balance_paisa, a.balance_paisa) + coalesce(e.paisa, 0) + (select coalesce(sum(i.paisa), 0)::bigint from account_income i where i.account_id = t.account_id)
  from (select account_id, campaign_id, 'campaign_deduction'::credit_action as action, -paid_paisa as paisa from sums where paid_paisa > 0
        union all select account_id, campaign_id, 'campaign_margin', paisa from margins) t
  join account a on a.id = t.account_id left join settled s on s.id = t.account_id left join earnings e on e.account_id = t.account_id
  where (select count(*) from earned) >= 0 order by t.account_id, t.campaign_id
  on conflict (account_id, sms_campaign_id, day, action) where sms_campaign_id is not null
  do update set amount_paisa = h.amount_paisa + excluded.amount_paisa, balance_paisa = excluded.balance_paisa, at = now() returning 1
), retries as (
  insert into sms_retry (campaign_id, operator, due_at, no, held_paisa) select campaign_id, operator, now() + retry_ms * interval '1 ms', no, held_paisa from ended where kind = 'back'
), counted as (
  insert into sms_campaign_count as k (campaign_id, slot, in_flight, fresh, waiting, submitted, failed, unknown, accepted, segments, cost_paisa)
  select campaign_id, $4, -sum(n), sum(fresh), sum(waiting), sum(submitted), sum(failed), sum(unknown), sum(paid), sum(segments), sum(paid_paisa)
  from (select campaign_id, n, fresh, waiting, submitted, failed, 0 as unknown, paid, segments, paid_paisa from sums
        union all select campaign_id, count(*), 0, 0, 0, 0, count(*), 0, 0, 0 from kept group by campaign_id) s
  where (select count(*) from settled) >= 0 group by campaign_id order by campaign_id -- accounts first, as claim does
  on conflict (campaign_id, slot) do update set in_flight = k.in_flight + excluded.in_flight, fresh = k.fresh + excluded.fresh, waiting = k.waiting + excluded.waiting,
    submitted = k.submitted + excluded.submitted, failed = k.failed + excluded.failed, unknown = k.unknown + excluded.unknown, accepted = k.accepted + excluded.accepted,
    segments = k.segments + excluded.segments, cost_paisa = k.cost_paisa + excluded.cost_paisa returning 1
), given_back as ( -- what reached nobody does not count for the day; last of all, under the accounts' locks
  update sms_number_day n set sent = greatest(0, n.sent - e.n) from (
    select phone, account_id, day, count(*)::int n from ended where kind in ('back', 'refused') and accepted = 0 and (select count(*) from counted) >= 0 group by 1, 2, 3) e
  where n.phone = e.phone and n.account_id = e.account_id and n.day = e.day
)
select id from ended union all select id from kept`,
)

/** Returns the messages whose outcome counted. */
export async function settleMessages(
  db: Queryable,
  lease: SmsLease,
  slot: number,
  outcomes: readonly SmsOutcome[],
): Promise<number[]> {
  if (outcomes.length === 0) return []
  const column = <K extends keyof SmsOutcome>(key: K): SmsOutcome[K][] => outcomes.map((outcome) => outcome[key])
  const keys = outcomes.flatMap(({ smsId, idKeys }) => idKeys.map((key) => [key, smsId] as const))
  const columns = [
    column('smsId'),
    column('kind'),
    column('accepted'),
    column('retryInMs'),
    column('isFault'),
    column('answered'),
    column('code'),
    column('reason'),
    keys.map(([key]) => key),
    keys.map(([, id]) => id),
    outcomes.map(({ idKeys }) => new Set(idKeys).size),
  ]
  const rows = await run(db, settleStatement, [...fenced(lease), slot, ...columns])
  return rows.map((row) => row.id)
}
