import { run, statement, type Queryable } from '../../dispatch/statement.ts'
import { textsOfRow } from '../../modules/sms-campaigns/rules.ts'

/**
 * Counts of violations, which must be zero at every moment. The keys are the invariants; see the statement. Accounts and reservations:
 * voice/invariants/invariants.sql.ts.
 */
type MessageInvariantCounts = Record<
  | 'sms_sent_twice'
  | 'sms_in_flight_twice'
  | 'sms_sent_though_blacklisted'
  | 'sms_price_wrong'
  | 'sms_chain_wrong'
  | 'sms_history_wrong'
  | 'sms_counters_wrong'
  | 'sms_stranded'
  | 'sms_state_wrong'
  | 'sms_held_wrong'
  | 'sms_without_call'
  | 'sms_missing_after_call',
  number
>

/** Rows that were submitted twice, which only Retry excuses. */
const sentTwice = `(select count(*) from (select campaign_id, no from (select campaign_id, no from sms_sent union all select campaign_id, no from sms_open) e group by 1, 2 having count(*) > 1) t
    join sms_campaign c on c.id = t.campaign_id where not c.is_retry)::int`

/** A waiting message holds its cost if it follows a call or is of a feed, and otherwise nothing. */
const heldWrong = `(select count(*) from sms_retry r join sms_campaign c on c.id = r.campaign_id join sms_message m on m.campaign_id = r.campaign_id and m.no = r.no
    where r.held_paisa > 0 and (c.call_campaign_id is null and c.feed is null or r.held_paisa <> m.segments * c.price_paisa))::int
  + (
    select count(*)
    from sms_retry r
    join sms_campaign c on c.id = r.campaign_id
    where r.until is not null
      and r.held_paisa = 0
      and c.price_paisa > 0
  )::int`

/** Messages after calls compared with the history of the calls: one too many, or one missing although its campaign still sends. */
const afterCalls = `(select count(*) from sms_message m join sms_campaign c on c.id = m.campaign_id left join earned_texts e on e.campaign_id = m.campaign_id and e.no = m.no
     where c.call_campaign_id is not null and e.segments is distinct from m.segments and not exists (select from sms_campaign_deleted g where g.campaign_id = c.id)
       and c.call_campaign_id not in (select campaign_id from archived where parent = 'attempt'))::int as sms_without_call,
  (select count(*) from earned_texts e join sms_campaign c on c.id = e.campaign_id and c.status = 'running'
     where e.certain and not exists (select from sms_message m where m.campaign_id = e.campaign_id and m.no = e.no))::int as sms_missing_after_call`

/**
 * Checks all books of messages. It computes everything a second time, from the history and the frozen chains alone, and reads every row: for
 * tests and for people who investigate. A number that is blacklisted within 1 s of the claim is no violation.
 */
const checkStatement = statement<MessageInvariantCounts>(
  'check_message_invariants',
  `with queue as materialized (
  select campaign_id, no, count(*) n from sms_retry group by 1, 2
), rows as materialized (
  select m.*, c.status, c.retry_requested, coalesce(q.n, 0) as queued, o.id is not null as in_flight, u.id is not null as kept, coalesce(m.no >= s.fresh_next and m.no < s.fresh_end, false) as ahead
  from sms_message m join sms_campaign c on c.id = m.campaign_id left join queue q on q.campaign_id = m.campaign_id and q.no = m.no
  left join sms_open o on o.campaign_id = m.campaign_id and o.no = m.no and o.unknown_at is null
  left join sms_open u on u.campaign_id = m.campaign_id and u.no = m.no and u.unknown_at is not null
  left join sms_stream s on s.campaign_id = m.campaign_id and s.operator = m.operator
), earned_texts as materialized ( -- what calls that ended brought about
  select c.id as campaign_id, a.no * ${textsOfRow} + t.no as no, min(w.segments[t.no + 1]) as segments,
    bool_or(t.occasion <> 'fail' or a.disposition = 'NO ANSWER' and a.attempt_no > v.retries and not v.is_retry) as certain -- a last day ends rows without a call
  from sms_campaign c join campaign v on v.id = c.call_campaign_id join call_text t on t.campaign_id = v.id join attempt a on a.campaign_id = c.call_campaign_id
    join call_text_row w on w.campaign_id = a.campaign_id and w.no = a.no and w.segments[t.no + 1] is not null
    join campaign_contact r on r.campaign_id = a.campaign_id and r.no = a.no
  where case t.occasion when 'success' then a.disposition = 'ANSWER' and a.bill_ms >= t.min_ms when 'dtmf' then a.disposition = 'ANSWER' and left(a.keys, 1) = t.key
    else a.disposition not in ('ANSWER', 'LOST', 'CANCEL') and (r.state = 'done' or v.is_retry) end
  group by 1, 2
), archived as materialized (select distinct p.campaign_id, f.parent from archive_part p join archive f on f.id = p.archive_id
), due as materialized ( -- what each level owed for each message, from the history and the chain alone
  select a.batch_id, a.campaign_id, l.level, l.payer_id, l.payee_id, min(a.accepted * l.segment_paisa) over (partition by a.id order by l.level) as paisa,
    l.level = 0 and a.cost_paisa <> a.accepted * l.segment_paisa as wrong
  from sms_sent a join sms_campaign_level l on l.campaign_id = a.campaign_id and a.campaign_id not in (select campaign_id from archived where parent = 'sms_sent')
), debts as materialized (
  select batch_id, level, payer_id, payee_id, sum(paisa) paisa from due group by 1, 2, 3, 4 having sum(paisa) > 0
), history as materialized (
  select account_id, campaign_id, action, sum(paisa) paisa from (
    select payer_id as account_id, campaign_id, 'campaign_deduction' as action, -paisa as paisa from due where level = 0
    union all select payee_id, campaign_id, 'campaign_margin', paisa from due
    union all select payer_id, campaign_id, 'campaign_margin', -paisa from due where level > 0) t
  group by 1, 2, 3 having sum(paisa) <> 0
), reports as materialized (
  select account_id, sms_campaign_id as campaign_id, action::text, sum(amount_paisa) paisa from credit_entry where sms_campaign_id is not null and sms_campaign_id not in (select campaign_id from archived where parent = 'sms_sent') group by 1, 2, 3
)
select
  ${sentTwice} as sms_sent_twice,
  (select count(*) from (select from sms_open where unknown_at is null group by campaign_id, no having count(*) > 1) t)::int as sms_in_flight_twice,
  (select count(*) from (select campaign_id, phone, claimed_at from sms_sent union all select campaign_id, phone, claimed_at from sms_open) e
     where exists (select from blacklist b where b.phone = e.phone and b.created_at < e.claimed_at - interval '1 second'
     and (b.owner_id in (select payer_id from sms_campaign_level l where l.campaign_id = e.campaign_id) or b.owner_id = (select id from account where kind = 'mint'))))::int as sms_sent_though_blacklisted,
  (select count(*) from due where wrong)::int + (select count(*) from sms_open o join sms_campaign c on c.id = o.campaign_id where o.reserved_paisa <> o.segments * c.price_paisa)::int as sms_price_wrong,
  (select count(*) from (select * from transfer where kind = 'sms' and sms_campaign_id not in (select campaign_id from archived where parent = 'sms_sent')) t full join debts o on o.batch_id = t.batch_id and o.level = t.level and o.payer_id = t.payer_id and o.payee_id = t.payee_id
     where t.amount_paisa is distinct from o.paisa)::int as sms_chain_wrong,
  (select count(*) from history s full join reports t on t.account_id = s.account_id and t.campaign_id = s.campaign_id and t.action = s.action where t.paisa is distinct from s.paisa)::int as sms_history_wrong,
  (select count(*) from sms_campaign c join (select campaign_id, sum(fresh) fresh, sum(waiting) waiting, sum(in_flight) in_flight, sum(submitted) submitted, sum(delivered) delivered, sum(failed) failed,
       sum(expired) expired, sum(unknown) unknown, sum(dnd) dnd, sum(unreachable) unreachable, sum(accepted) accepted, sum(segments) segments, sum(cost_paisa) cost_paisa from sms_campaign_count group by 1) k on k.campaign_id = c.id
     left join (select campaign_id, count(*) n, count(*) filter (where in_flight) in_flight, count(*) filter (where state = 'fresh' and not in_flight) fresh, count(*) filter (where state = 'waiting' and not in_flight) waiting,
       count(*) filter (where state = 'submitted') submitted, count(*) filter (where state = 'delivered') delivered, count(*) filter (where state = 'failed') failed, count(*) filter (where state = 'expired') expired,
       count(*) filter (where state = 'unknown') unknown, count(*) filter (where state = 'dnd') dnd, count(*) filter (where state = 'unreachable') unreachable from rows group by 1) r on r.campaign_id = c.id
     left join (select campaign_id, count(*) filter (where accepted > 0) accepted, sum(accepted) segments, sum(cost_paisa) cost from sms_sent group by 1) x on x.campaign_id = c.id
     left join sms_campaign_deleted g on g.campaign_id = c.id -- its rows are gone, its sums are not
     where g is null and (case when c.call_campaign_id is null and c.feed is null then c.uploaded else coalesce(r.n, 0) end <> coalesce(r.n, 0) or coalesce(r.n, 0) <> k.fresh + k.waiting + k.in_flight + k.submitted + k.delivered + k.failed + k.expired + k.unknown + k.dnd + k.unreachable
       or (k.fresh, k.waiting, k.in_flight, k.submitted, k.delivered, k.failed, k.expired, k.unknown, k.dnd, k.unreachable) is distinct from
          (coalesce(r.fresh, 0), coalesce(r.waiting, 0), coalesce(r.in_flight, 0), coalesce(r.submitted, 0), coalesce(r.delivered, 0), coalesce(r.failed, 0), coalesce(r.expired, 0), coalesce(r.unknown, 0), coalesce(r.dnd, 0), coalesce(r.unreachable, 0)))
       or c.id not in (select campaign_id from archived where parent = 'sms_sent') and (k.accepted, k.segments, k.cost_paisa) is distinct from (coalesce(x.accepted, 0), coalesce(x.segments, 0), coalesce(x.cost, 0)))::int as sms_counters_wrong,
  (select count(*) from rows where status = 'running' and not retry_requested and state in ('fresh', 'waiting') and queued + in_flight::int + ahead::int <> 1)::int as sms_stranded, -- in one place from which it goes on
  (select count(*) from rows where state not in ('fresh', 'waiting') and (queued > 0 or in_flight or ahead and state not in ('dnd', 'unreachable'))
     or kept and state in ('submitted', 'dnd', 'unreachable') or state in ('submitted', 'delivered') and sms_id is null)::int as sms_state_wrong,
  ${heldWrong} as sms_held_wrong,
  ${afterCalls}`,
)

export async function checkMessageInvariants(db: Queryable): Promise<MessageInvariantCounts> {
  const [counts] = await run(db, checkStatement, [])
  if (!counts) throw new Error('the invariants could not be counted')
  return counts
}

/**
 * What can be asked of a running platform each minute: counters and what is in flight as they stand, and the submissions since $1. Null: the last
 * hundred thousand. Grouped as the check of calls is.
 */
export const runningStatement = statement<Partial<MessageInvariantCounts> & { last_id: number }>(
  'check_message_invariants_since',
  `with since as materialized (select coalesce($1::bigint, (select last_value from sms_open_id_seq) - 100000) as id),
recent as materialized (select id, campaign_id, no, phone, claimed_at, accepted, cost_paisa from sms_sent where id > (select id from since)),
resends as materialized (
  select campaign_id from sms_sent where id > (select id from since) - 1000000 group by campaign_id, no having count(*) > 1 and max(id) > (select id from since)
)
select
  (select count(*) from resends a join sms_campaign c on c.id = a.campaign_id and not c.is_retry)::int as sms_sent_twice,
  (select count(*) from (select from sms_open where unknown_at is null group by campaign_id, no having count(*) > 1) t)::int as sms_in_flight_twice,
  (select count(*) from recent e where exists (select from blacklist b where b.phone = e.phone and b.created_at < e.claimed_at - interval '1 second'
     and (b.owner_id in (select payer_id from sms_campaign_level l where l.campaign_id = e.campaign_id) or b.owner_id = (select id from account where kind = 'mint'))))::int as sms_sent_though_blacklisted,
  (select count(*) from recent r join sms_campaign c on c.id = r.campaign_id where r.cost_paisa <> r.accepted * c.price_paisa)::int as sms_price_wrong,
  ${heldWrong} as sms_held_wrong,
  (select count(*) from sms_campaign c left join (select campaign_id, count(*) n from sms_open where unknown_at is null group by 1) o on o.campaign_id = c.id,
      lateral (select sum(fresh + waiting + in_flight + submitted + delivered + failed + expired + unknown + dnd + unreachable) as n, sum(in_flight) as in_flight from sms_campaign_count k where k.campaign_id = c.id) k
     where c.status not in ('complete', 'cancelled', 'refused', 'failed') and (c.call_campaign_id is null and c.feed is null and c.uploaded <> k.n or k.in_flight <> coalesce(o.n, 0)))::int as sms_counters_wrong,
  (select coalesce((select max(id) from recent), id) from since) as last_id`,
)

/** The submission up to which was checked, and what does not hold. `sinceId`: the `lastId` of the check before; null as in `runningStatement`. */
export async function checkMessageInvariantsSince(
  db: Queryable,
  sinceId: number | null,
): Promise<{ lastId: number; counts: Partial<MessageInvariantCounts> }> {
  const [row] = await run(db, runningStatement, [sinceId])
  if (!row) throw new Error('the invariants could not be counted')
  const { last_id: lastId, ...counts } = row
  return { lastId, counts }
}
