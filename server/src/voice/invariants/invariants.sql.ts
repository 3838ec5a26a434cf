import { hostsMax } from '../../lib/trunk-limits.ts'
import { settings } from '../../modules/platform/rules.ts'
import { run, statement, type Queryable } from '../../dispatch/statement.ts'
import { faultsOf } from '../../dispatch/faults.ts'

/** Counts of violations, which must be zero at every moment. The keys are the invariants; see the statement. */
export type InvariantCounts = Record<
  | 'claimed_twice'
  | 'ended_twice'
  | 'trunk_twice'
  | 'number_twice_at_once'
  | 'numbers_wrong'
  | 'redialled'
  | 'rung_too_often'
  | 'dialled_though_blacklisted'
  | 'agent_too_often'
  | 'negative'
  | 'reservation_wrong'
  | 'channels_wrong'
  | 'frozen_wrong'
  | 'contracts_wrong'
  | 'sum_of_balances'
  | 'price_wrong'
  | 'chain_wrong'
  | 'balance_wrong'
  | 'history_wrong'
  | 'counters_wrong'
  | 'answers_wrong'
  | 'stranded'
  | 'stream_wrong'
  | 'state_wrong',
  number
>

/**
 * Each number that is being called belongs to one call, for customers, agents and trunk tests alike, both by what is open and by the table
 * that claims read. A test whose engine died holds its number for three minutes.
 */
const numbersWrong = `(select count(*) from (select phone from calls_now group by phone having count(*) > 1) t)::int
    + (select count(*) from calls_now c full join (select phone, attempt_id from number_use where attempt_id <> 0) b on b.phone = c.phone and b.attempt_id = c.id
       where (c.id is null and b.attempt_id > 0 or b.phone is null) and exists (select from number_use where phone = 0))::int`

/**
 * Calls in progress are those that dialers and accounts count, and no dialer may begin a call of an account whose channels are all in use or granted
 * (docs/adr/55).
 */
const channelsWrong = `(select count(*) from account_grant g full join (select o.dialer_id, l.payer_id, count(*) n from attempt_open o join campaign_level l on l.campaign_id = o.campaign_id group by 1, 2) o
       on o.dialer_id = g.dialer_id and o.payer_id = g.account_id where coalesce(g.in_call, 0) <> coalesce(o.n, 0))::int
    + (select count(*) from account_channels h
       join (select account_id, sum(greatest(granted, in_call)) as taken, bool_or(granted > in_call) as may_begin from account_grant group by 1) g on g.account_id = h.account_id
       where g.may_begin and g.taken > h.channels)::int`

/** The mark that stops claims says what the path says, of every account (docs/design.md#freeze). */
const frozenWrong = `(
    select count(*)
    from users u
    join account a on a.id = u.id
    where a.frozen <> exists (select from account_frozen_by(u.path))
  )::int`

/**
 * What is granted of a contract and in use is at most what it has, and so are the calls in progress, over all dialers (docs/adr/59). What began before a trunk
 * belonged to it, or before it was cut, may be more for a while.
 */
const contractsWrong = `(select count(*) from operator_contract c cross join lateral (
       select sum(u.channels_taken) as channels, bool_or(u.channels > u.legs) as may_begin, sum(u.cps_taken) as cps, bool_or(u.cps > u.begun) as may_begin_now from contract_use(c.id) u) u
       where c.changed_at < now() - interval '5 seconds' and (u.may_begin and u.channels > c.channels or u.may_begin_now and u.cps > c.cps))::int
    + (select count(*) from operator_contract c cross join lateral (
       select count(*) + count(o.agent) as n from attempt_open o join trunk t on t.id = o.trunk_id where t.contract_id = c.id and o.started_at > c.changed_at + interval '5 seconds') o
       where o.n > c.channels + 2 * c.cps)::int` // outcomes of two seconds may not be written yet

/**
 * Over ten seconds, since each dialer has a clock of its own and requests that a network held up come together. Calls that were given back may not have been sent.
 */
const contractRateWrong = (
  attempts: string,
): string => `(select count(distinct b.id) from (select c.id, c.cps, count(*) over (partition by c.id order by a.started_at range between interval '10 seconds' preceding and current row) as n
       from ${attempts} a join trunk t on t.id = a.trunk_id join operator_contract c on c.id = t.contract_id
       where a.started_at > c.changed_at + interval '5 seconds' and a.disposition <> 'CANCEL') b where b.n > b.cps * 12.5)::int`

/** Each attempt tries a trunk once, or each of its hosts once, one after the other. */
const trunkTwice = (
  attempts: string,
): string => `(select count(*) from (select tried || trunk_id as way from ${attempts} where tried is not null) t
    where (select count(*) filter (where at = 1 or one <> way[at - 1]) > count(distinct one) from unnest(way) with ordinality x (one, at))
      or exists (select from unnest(way) one group by one having count(*) > ${hostsMax}))::int`
/** Who was rung as an agent in these attempts, and whether the leg counts as a call of its number. */
const agentsOf = (attempts: string): string => `agents as materialized (
  select a.campaign_id, a.claimed_at, a.settled_at, u.phone, u.counted from ${attempts} a cross join lateral (
    select unnest(a.agents_counted) as phone, true as counted
    union all select ltrim(a.agent, '+')::bigint, false where a.patch_bill_ms is not null and a.agent <> all (select '+' || one from unnest(a.agents_counted) one)
  ) u
)`

/**
 * Rows whose telephone rang, or heard an announcement, in more calls than the campaign has re-attempts and one. Not counted: calls that we ended
 * ourselves, and campaigns of which somebody asked for a Retry.
 */
const rungTooOften = `(select count(*) from (
    select from attempt a join campaign p on p.id = a.campaign_id where a.alerted and a.disposition <> 'CANCEL' and not p.is_retry
    group by a.campaign_id, a.no, p.retries having count(*) > p.retries + 1) t)::int`

/** Customers and agents who were rung although they had been blacklisted for a second. */
const blacklistedOf = (attempts: string): string => `(select count(*) from (
    select phone, claimed_at, campaign_id from ${attempts} union all select phone, claimed_at, campaign_id from agents) e
    where exists (select from blacklist b where b.phone = e.phone and b.created_at < e.claimed_at - interval '1 second'
      and (b.owner_id in (select payer_id from campaign_level l where l.campaign_id = e.campaign_id) or b.owner_id = (select id from account where kind = 'mint'))))::int`

/** Calls of all accounts to a number in a day, where that has been the setting since before the agent was rung. */
const numberCap = `number_cap as materialized (
  select coalesce((select (value ->> 'platform')::int from platform_setting where key = 'number_caps'), ${settings.numberCaps.fallback.platform}) as calls,
    coalesce((select changed_at from platform_setting where key = 'number_caps'), '-infinity') as since
)`

/** Nobody is rung as an agent once the calls of that day to the number, as a customer or an agent, were as many as the platform allows when the call began. */
const agentTooOften = `(select count(*) from agents e, number_cap m where e.claimed_at > m.since and m.calls <= (
      select count(*) from agent_calls c where c.phone = e.phone and c.settled_at < e.claimed_at and nepal_day(c.claimed_at) = nepal_day(e.claimed_at)))::int`

const calling = `calls_now as materialized (
  select id, phone from attempt_open union all select id, agent from attempt_open where agent is not null
  union all select -id, phone from trunk_test where phone is not null and ended_at is null and taken_at > now() - interval '3 minutes'
)`

/** What each account's open calls and messages reserve, and its messages that wait after calls. */
const reserved = `(select account_id, sum(reserved_paisa) as paisa from (
    select account_id, reserved_paisa + message_paisa as reserved_paisa from attempt_open union all select account_id, reserved_paisa from sms_open
    union all select c.account_id, r.held_paisa from sms_retry r join sms_campaign c on c.id = r.campaign_id where r.held_paisa > 0) every_open group by 1)`

/**
 * Checks all books. It computes everything a second time, from the attempts and the frozen chains alone, and reads every row: for tests and
 * for people who investigate. Only Retry excuses dialling a LOST row again; a number that is blacklisted within 1 s of the claim is no
 * violation.
 */
const checkStatement = statement<InvariantCounts>(
  'check_invariants',
  `with ${calling}, ${numberCap}, ${agentsOf('attempt')}, agent_calls as materialized (
  select phone, claimed_at, settled_at from attempt where phone in (select phone from agents) and counts_for_day(disposition, alerted)
  union all select phone, claimed_at, settled_at from agents where counted
), every as materialized (
  select id, campaign_id, no, attempt_no, phone, disposition::text, claimed_at, settled_at from attempt
  union all select id, campaign_id, no, attempt_no, phone, '', started_at, 'infinity' from attempt_open
), queue as materialized (
  select campaign_id, no, count(*) n from contact_retry group by 1, 2
), rows as materialized (
  select c.*, p.status, p.fresh_next, p.fresh_end, p.is_retry, p.retry_requested, coalesce(q.n, 0) as queued, o.id is not null as in_call, b.state as before_state,
    exists (select from campaign_stream s where s.campaign_id = c.campaign_id and c.no >= s.fresh_next and c.no < s.fresh_end) as ahead_in_stream
  from campaign_contact c join campaign p on p.id = c.campaign_id left join queue q on q.campaign_id = c.campaign_id and q.no = c.no
  left join attempt_open o on o.campaign_id = c.campaign_id and o.no = c.no
  left join campaign_contact b on b.campaign_id = c.campaign_id and b.follower_no = c.no
), archived as materialized ( -- campaigns of which calls are in files: what was read back there before they left is not asked again
  select distinct p.campaign_id from archive_part p join archive f on f.id = p.archive_id where f.parent = 'attempt'
), due as materialized ( -- what each level owed for each answered call, from the history and the chain alone
  select a.batch_id, a.campaign_id, l.level, l.payer_id, l.payee_id, least(a.cost_paisa, min(x.cost_paisa) over (partition by a.id order by l.level)) as paisa,
    l.level = 0 and (a.pulses <> x.pulses or a.cost_paisa + a.uncollected_paisa <> x.cost_paisa) as wrong
  from attempt a join campaign_level l on l.campaign_id = a.campaign_id and a.campaign_id not in (select campaign_id from archived), lateral (select
      (a.bill_ms is not null and not a.unheard)::int * greatest(1, ceil(a.bill_ms::numeric / l.pulse_ms)) + (a.patch_bill_ms is not null)::int * greatest(1, ceil(a.patch_bill_ms::numeric / l.pulse_ms)) as pulses) n,
    lateral (select n.pulses, n.pulses * l.pulse_paisa as cost_paisa) x
), debts as materialized (
  select batch_id, level, payer_id, payee_id, sum(paisa) paisa from due group by 1, 2, 3, 4 having sum(paisa) > 0
), reservations as materialized (
  select a.id, a.kind, a.balance_paisa + coalesce(sum(i.paisa), 0) as paisa from account a left join account_income i on i.account_id = a.id group by a.id
), history as materialized ( -- what each account's history must say of each campaign
  select account_id, campaign_id, action, sum(paisa) paisa from (
    select payer_id as account_id, campaign_id, 'campaign_deduction' as action, -paisa as paisa from due where level = 0
    union all select payee_id, campaign_id, 'campaign_margin', paisa from due
    union all select payer_id, campaign_id, 'campaign_margin', -paisa from due where level > 0) t
  group by 1, 2, 3 having sum(paisa) <> 0
), reports as materialized (
  select account_id, campaign_id, action::text, sum(amount_paisa) paisa from credit_entry where campaign_id is not null and campaign_id not in (select campaign_id from archived) group by 1, 2, 3
)
select
  (select count(*) from (select from every where disposition not in ('CONGESTION', 'CANCEL') group by campaign_id, no, attempt_no having count(*) > 1) t)::int as claimed_twice,
  (select count(*) from (select from every group by id having count(*) > 1) t)::int as ended_twice,
  (select count(*) from (select lag(settled_at) over (partition by phone order by claimed_at, id) > claimed_at as bad from every where phone <> 0) t where bad)::int as number_twice_at_once,
  ${numbersWrong} as numbers_wrong, ${trunkTwice('(select trunk_id, tried from attempt union all select trunk_id, tried from attempt_open) every_attempt')} as trunk_twice, ${frozenWrong} as frozen_wrong,
  (select count(*) from (select e.campaign_id, lag(e.disposition) over (partition by e.campaign_id, e.no order by e.id) as before from every e) t join campaign c on c.id = t.campaign_id
     where before = 'ANSWER' or before = 'INVALID' and not c.retry_invalid or before = 'LOST' and not c.is_retry)::int as redialled,
  ${rungTooOften} as rung_too_often,
  ${blacklistedOf('every')} as dialled_though_blacklisted, ${agentTooOften} as agent_too_often,
  (select count(*) from account where (balance_paisa < reserved_paisa and kind <> 'mint') or reserved_paisa < 0)::int as negative,
  (select count(*) from account a left join ${reserved} o on o.account_id = a.id where a.reserved_paisa <> coalesce(o.paisa, 0))::int as reservation_wrong,
  ${channelsWrong} as channels_wrong,
  ${contractsWrong} + ${contractRateWrong('attempt')} as contracts_wrong,
  (select sum(paisa) from reservations)::bigint as sum_of_balances,
  (select count(*) from due where wrong)::int as price_wrong,
  (select count(*) from (select * from transfer where kind = 'calls' and campaign_id not in (select campaign_id from archived)) t full join debts o on o.batch_id = t.batch_id and o.level = t.level and o.payer_id = t.payer_id and o.payee_id = t.payee_id
     where t.amount_paisa is distinct from o.paisa)::int as chain_wrong,
  (select count(*) from reservations a where paisa <> coalesce((select sum(amount_paisa) from transfer where payee_id = a.id), 0) - coalesce((select sum(amount_paisa) from transfer where payer_id = a.id), 0))::int as balance_wrong,
  (select count(*) from history s full join reports t on t.account_id = s.account_id and t.campaign_id = s.campaign_id and t.action = s.action where t.paisa is distinct from s.paisa)::int as history_wrong,
  (select count(*) from campaign p join (select campaign_id, sum(fresh) fresh, sum(in_call) in_call, sum(waiting) waiting, sum(done) done, sum(dnd) dnd, sum(expired) expired,
       sum(attempts) attempts, sum(answered) answered, sum(dtmf) dtmf, sum(pulses) pulses, sum(no_answer + busy + congestion + failed + cancel + invalid + rejected + lost) others,
       sum(cost_paisa) cost_paisa, sum(uncollected_paisa) uncollected_paisa from campaign_count group by 1) k on k.campaign_id = p.id
     left join (select campaign_id, count(*) n, count(*) filter (where in_call) in_call, count(*) filter (where state = 'fresh' and not in_call) fresh,
       count(*) filter (where state = 'waiting' and not in_call) waiting,
       count(*) filter (where state = 'done') done, count(*) filter (where state = 'dnd') dnd, count(*) filter (where state = 'expired') expired from rows group by 1) r on r.campaign_id = p.id
     left join (select campaign_id, count(*) n, count(*) filter (where disposition = 'ANSWER') answered, count(keys) dtmf, sum(pulses) pulses, sum(cost_paisa) c, sum(uncollected_paisa) u
       from attempt group by 1) x on x.campaign_id = p.id
     left join campaign_deleted g on g.campaign_id = p.id -- its rows and keys are gone, its sums are not
     where p.uploaded <> k.fresh + k.in_call + k.waiting + k.done + k.dnd + k.expired or g is null and p.uploaded <> coalesce(r.n, 0)
       or g is null and (k.fresh, k.in_call, k.waiting, k.done, k.dnd, k.expired) is distinct from
          (coalesce(r.fresh, 0), coalesce(r.in_call, 0), coalesce(r.waiting, 0), coalesce(r.done, 0), coalesce(r.dnd, 0), coalesce(r.expired, 0))
       or p.id not in (select campaign_id from archived) and (k.attempts, k.answered, k.answered + k.others, case when g is null then k.dtmf end, k.pulses, k.cost_paisa, k.uncollected_paisa) is distinct from
          (coalesce(x.n, 0), coalesce(x.answered, 0), coalesce(x.n, 0), case when g is null then coalesce(x.dtmf, 0) end, coalesce(x.pulses, 0), coalesce(x.c, 0), coalesce(x.u, 0)))::int as counters_wrong,
  (select count(*) from (select campaign_id, mark, sum(n) n from campaign_tally group by 1, 2) k
     full join (select campaign_id, mark, count(*) n from attempt, string_to_table(trail, ' ') mark group by 1, 2) a on a.campaign_id = k.campaign_id and a.mark = k.mark
     where k.n is distinct from a.n and coalesce(k.campaign_id, a.campaign_id) not in (select campaign_id from campaign_deleted union all select campaign_id from archived))::int
    + (select count(*) from attempt where trail is not null and (disposition <> 'ANSWER' or trail !~ '(^| )>[^ >]+$' or trail ~ '>.*>'))::int as answers_wrong, -- each answered call ended once
  (select count(*) from rows where status = 'running' and not retry_requested and state in ('fresh', 'waiting') and queued + in_call::int + (no >= fresh_next and no < fresh_end or ahead_in_stream)::int
     + coalesce(before_state in ('fresh', 'waiting'), false)::int <> 1)::int as stranded, -- each unfinished row is in exactly one place from which it goes on
  (select count(*) from (select campaign_id, no, stream from contact_retry union all select campaign_id, no, stream from attempt_open) w
     join campaign_contact c on c.campaign_id = w.campaign_id and c.no = w.no
     left join (select f.campaign_id, f.phone, min(f.no) as no from campaign_contact f join campaign p on p.id = f.campaign_id where p.by_operator group by 1, 2) head
       on head.campaign_id = c.campaign_id and head.phone = c.phone
     left join campaign_stream s on s.campaign_id = c.campaign_id and head.no >= s.fresh_from and head.no < s.fresh_end
     where w.stream <> coalesce(s.stream, 0))::int as stream_wrong, -- a row waits in the stream of its number, and goes back there
  (select count(*) from rows where state in ('done', 'dnd', 'expired') and (queued > 0 or in_call) or state = 'waiting' and attempts + congestions = 0 and not is_retry)::int as state_wrong`,
)

/**
 * Checks that a running platform can afford each minute: accounts, reservations, channels and counters as they stand, and the attempts since $1.
 * Null: the last hundred thousand. What has been called again is looked for among the million before them, which is grouped rather than joined:
 * the planner knows too little of attempts that have just been written.
 */
export const runningStatement = statement<Partial<InvariantCounts> & { last_id: number }>(
  'check_invariants_since',
  `with since as materialized (
  select coalesce($1::bigint, (select last_value from attempt_open_id_seq) - 100000) as id
), ${calling}, recent as materialized (
  select id, campaign_id, no, phone, claimed_at, settled_at, started_at, trunk_id, tried, disposition, agent, patch_bill_ms, agents_counted, alerted from attempt where id > (select id from since)
), redials as materialized (
  select campaign_id, no, max(id) as last_id, min(id) filter (where disposition = 'ANSWER') as answered_id, min(id) filter (where disposition = 'INVALID') as invalid_id,
    count(*) filter (where alerted and disposition <> 'CANCEL') as rung
  from attempt where id > (select id from since) - 1000000 group by 1, 2 having count(*) > 1 and max(id) > (select id from since)
), ${numberCap}, ${agentsOf('recent')}
select
  ${numbersWrong} as numbers_wrong, ${trunkTwice('recent')} as trunk_twice,
  (select count(*) from redials a join campaign p on p.id = a.campaign_id where a.answered_id < a.last_id or a.invalid_id < a.last_id and not p.retry_invalid)::int as redialled,
  (select count(*) from redials a join campaign p on p.id = a.campaign_id where a.rung > p.retries + 1 and not p.is_retry)::int as rung_too_often,
  ${blacklistedOf('recent')} as dialled_though_blacklisted,
  (select count(distinct e.phone) from agents e, number_cap m where e.counted and e.claimed_at > m.since
     and m.calls < (select sum(tried) from number_day d where d.phone = e.phone and d.day = nepal_day(now())))::int as agent_too_often,
  (select count(*) from account where (balance_paisa < reserved_paisa and kind <> 'mint') or reserved_paisa < 0)::int as negative,
  (select count(*) from account a left join ${reserved} o on o.account_id = a.id where a.reserved_paisa <> coalesce(o.paisa, 0))::int as reservation_wrong,
  ${channelsWrong} as channels_wrong,
  ${frozenWrong} as frozen_wrong,
  ${contractsWrong} + ${contractRateWrong('recent')} as contracts_wrong,
  (select sum(balance_paisa) from account)::bigint + (select coalesce(sum(paisa), 0) from account_income)::bigint as sum_of_balances,
  (select count(*) from campaign c left join (select campaign_id, count(*) n from attempt_open group by 1) o on o.campaign_id = c.id,
      lateral (select sum(fresh + in_call + waiting + done + dnd + expired) as n, sum(in_call) as in_call from campaign_count k where k.campaign_id = c.id) k
     where c.status not in ('complete', 'cancelled', 'refused', 'failed') and (c.uploaded <> k.n or k.in_call <> coalesce(o.n, 0)))::int as counters_wrong,
  (select count(*) from campaign c where c.status not in ('complete', 'cancelled', 'refused', 'failed')
     and (select coalesce(sum(n), 0) from campaign_tally t where t.campaign_id = c.id and t.mark like '>%') > (select sum(answered) from campaign_count k where k.campaign_id = c.id))::int as answers_wrong,
  (select coalesce((select max(id) from recent), id) from since) as last_id`,
)

/** The last attempt that was checked, and the invariants that do not hold. */
/** `sinceId`: the `lastId` of the check before. Null: of what an engine that has just started finds, the newest. */
export async function checkInvariantsSince(
  db: Queryable,
  sinceId: number | null,
): Promise<{ lastId: number; faults: string[] }> {
  const [row] = await run(db, runningStatement, [sinceId])
  if (!row) throw new Error('the invariants could not be counted')
  const { last_id: lastId, ...counts } = row
  return { lastId, faults: faultsOf(counts) }
}

export async function checkInvariants(db: Queryable): Promise<InvariantCounts> {
  const [counts] = await run(db, checkStatement, [])
  if (!counts) throw new Error('the invariants could not be counted')
  return counts
}
