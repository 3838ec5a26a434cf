import type { Disposition } from '@ghanti/contract/campaign-status.ts'
import type { AgentMissed, CallEnder } from '../../db/tables.ts'
import { textsOfRow } from '../../modules/sms-campaigns/rules.ts'
import { countedOfOthersSql, releasedSql } from '../schedule/numbers/numbers.sql.ts'
import { fenced, leaseHeld, run, statement, type Lease, type Queryable } from '../statement.ts'

/** How an attempt ended. Times are the dialer's; null where nobody knows. */
export type Outcome = {
  attemptId: number
  disposition: Disposition
  startedAt: Date | null
  answeredAt: Date | null
  endedAt: Date | null
  /** Of the customer's leg. Null: not answered. */
  billMs: number | null
  /** Of the agent's leg. Null: not answered. */
  patchBillMs: number | null
  sipStatus: number | null
  q850Cause: number | null
  endedBy: CallEnder | null
  /** The valid keys in order; '' for none. */
  keys: string
  /** What an answered callee heard and answered, in words of callflow/trail.ts, each of which is counted. */
  trail: string | null
  agent: string | null
  /** Why the customer did not talk to an agent although one was requested. */
  agentMissed: AgentMissed | null
  /** The leg of the agent whose number the call still holds is one of that number's calls of the day. */
  agentCounts: boolean
  recordingId: string | null
  /** A prompt failed: the call is not charged. */
  unheard: boolean
  /** After how long the row may be dialled again, from now. Null: its outcome is final. */
  retryInMs: number | null
  /** The customer's telephone rang, gave early media or was answered. */
  alerted: boolean
  /** When it first did. Null: it did not, or nobody saw when. */
  alertedAt: Date | null
}

/** Name and type of each column of a batch of outcomes, in the order of the statement's parameters. */
const outcomeColumns = {
  attemptId: ['id', 'bigint'],
  disposition: ['disposition', 'disposition'],
  startedAt: ['started_at', 'timestamptz'],
  answeredAt: ['answered_at', 'timestamptz'],
  endedAt: ['ended_at', 'timestamptz'],
  billMs: ['bill_ms', 'int'],
  patchBillMs: ['patch_bill_ms', 'int'],
  sipStatus: ['sip_status', 'smallint'],
  q850Cause: ['q850_cause', 'smallint'],
  endedBy: ['ended_by', 'call_ender'],
  keys: ['keys', 'text'],
  agent: ['agent', 'text'],
  recordingId: ['recording', 'uuid'],
  retryInMs: ['retry_ms', 'int'],
  unheard: ['unheard', 'boolean'],
  trail: ['trail', 'text'],
  agentMissed: ['agent_missed', 'agent_missed'],
  agentCounts: ['agent_counts', 'boolean'],
  alerted: ['alerted', 'boolean'],
  alertedAt: ['alerted_at', 'timestamptz'],
} as const satisfies Record<keyof Outcome, readonly [name: string, type: string]>
const outcomeKeys = Object.keys(outcomeColumns) as (keyof Outcome)[]
const firstArray = 6
const outcomeArrays = outcomeKeys.map((key, n) => `$${firstArray + n}::${outcomeColumns[key][1]}[]`).join(', ')
const outcomeNames = outcomeKeys.map((key) => outcomeColumns[key][0]).join(', ')

/**
 * Settles outcomes of any campaigns of one dialer: history, row, retry, money of every level, channels and counters in one statement. An id
 * that is not open (settled before, or closed by a takeover) changes nothing. Of several outcomes of one attempt the first counts, so it does
 * not matter how outcomes are split into batches. Returns the ids that counted.
 * - $4 slot $5 ms until the follower of a final row is due, then the arrays of `outcomeColumns`.
 * - ANSWER, INVALID and LOST are final whatever the retry says.
 * - CONGESTION and CANCEL use up no attempt.
 * - CANCEL puts the row back where it came from, by way of the queue of its stream. A Call Now goes back only when its outcome says so, since an agent who
 *   did not answer is not called again.
 */
const settleStatement = statement<{ id: number }>(
  'settle',
  `with ${leaseHeld}, reported as materialized (
  select distinct on (id) * from unnest(${outcomeArrays})
    with ordinality as t (${outcomeNames}, told_no)
  order by id, told_no
), gone as (
  delete from attempt_open o using lease where o.id = any ($6::bigint[]) and o.dialer_id = $1 returning o.*
), ended as materialized (
  select o.id, o.started_at as claimed_at, coalesce(t.started_at, o.started_at) as started_at, t.answered_at, coalesce(t.ended_at, now()) as ended_at,
    o.campaign_id, o.no, o.attempt_no, o.from_state, o.account_id, o.phone, o.epoch, o.reserved_paisa, o.message_paisa, t.disposition, t.bill_ms, t.patch_bill_ms,
    t.sip_status, t.q850_cause, t.ended_by, nullif(t.keys, '') as keys, t.agent, t.recording, t.unheard, t.trail, t.agent_missed, t.alerted, o.agent as agent_up, t.agent_counts,
    case when t.agent_counts and o.agent <> o.phone then o.agents_counted || o.agent else o.agents_counted end as agents_counted,
    t.alerted_at, o.trunk_id, o.tried, o.cli_id, o.operator, o.kind, o.stream,
    case when t.disposition = 'CANCEL' and o.kind is distinct from 'callNow' then coalesce(t.retry_ms, 0) when t.disposition not in ('ANSWER', 'INVALID', 'LOST') then t.retry_ms end as retry_ms
  from gone o full join reported t on t.id = o.id where coalesce(o.id, 0) > 0
), steps as (
  delete from attempt_step s where s.attempt_id = any (array(select id from ended))
), calls as materialized (
  select l.payer_id as account_id, sum(e.n)::int as n from (select campaign_id, count(*) n from ended group by 1) e
  join campaign_level l on l.campaign_id = e.campaign_id group by 1
), charged as materialized ( -- what the user pays
  select e.*, p.pulses, p.pulses * l.pulse_paisa as cost_paisa, least(e.reserved_paisa, p.pulses * l.pulse_paisa) as paid_paisa,
    case when e.retry_ms is null then 'done' when e.disposition = 'CANCEL' then e.from_state else 'waiting' end as state
  from ended e left join campaign_level l on l.campaign_id = e.campaign_id and l.level = 0,
    lateral (select case when e.unheard then 0 else pulses(e.bill_ms, l.pulse_ms) + pulses(e.patch_bill_ms, l.pulse_ms) end as pulses) p
), sums as materialized (
  select account_id, campaign_id, count(*) n, sum(reserved_paisa + message_paisa)::bigint reserved_paisa, sum(paid_paisa)::bigint paid_paisa, sum(cost_paisa - paid_paisa)::bigint uncollected_paisa,
    sum(pulses) pulses, count(keys) dtmf, count(*) filter (where state = 'fresh') fresh, count(*) filter (where state = 'waiting') waiting, count(*) filter (where state = 'done') done,
    count(*) filter (where disposition = 'ANSWER') answered, count(*) filter (where disposition = 'NO ANSWER') no_answer, count(*) filter (where disposition = 'BUSY') busy,
    count(*) filter (where disposition = 'CONGESTION') congestion, count(*) filter (where disposition = 'FAILED') failed, count(*) filter (where disposition = 'CANCEL') cancel,
    count(*) filter (where disposition = 'INVALID') invalid, count(*) filter (where disposition = 'REJECTED') rejected, count(*) filter (where disposition = 'LOST') lost
  from charged group by account_id, campaign_id
), batches as materialized (
  select campaign_id, nextval('batch_id') as batch_id from sums where paid_paisa > 0
), history as (
  insert into attempt (id, batch_id, claimed_at, started_at, answered_at, ended_at, phone, epoch, cost_paisa, uncollected_paisa, campaign_id, no, pulses, bill_ms, patch_bill_ms,
    attempt_no, disposition, sip_status, q850_cause, ended_by, keys, agent, recording, unheard, trail, agent_missed, alerted,
    account_id, trunk_id, tried, cli_id, operator, kind, alerted_at, agents_counted)
  select e.id, case when e.paid_paisa > 0 then b.batch_id end, e.claimed_at, e.started_at, e.answered_at, e.ended_at, e.phone, e.epoch, e.paid_paisa, e.cost_paisa - e.paid_paisa,
    e.campaign_id, e.no, e.pulses, e.bill_ms, e.patch_bill_ms, e.attempt_no, e.disposition, e.sip_status, e.q850_cause, e.ended_by, e.keys, e.agent, e.recording, e.unheard, e.trail, e.agent_missed, e.alerted,
    e.account_id, e.trunk_id, e.tried, e.cli_id, e.operator, e.kind, e.alerted_at, e.agents_counted
  from charged e left join batches b on b.campaign_id = e.campaign_id returning 1
), contacts as (
  update campaign_contact c set state = e.state, disposition = e.disposition,
    attempts = case when e.disposition = 'CONGESTION' then c.attempts else e.attempt_no end,
    congestions = c.congestions + (e.disposition = 'CONGESTION')::int, failures = c.failures + (e.disposition in ('FAILED', 'REJECTED'))::int
  from charged e where (e.disposition <> 'CANCEL' or e.retry_ms is null) and c.campaign_id = e.campaign_id and c.no = e.no
  returning c.campaign_id, c.state, c.follower_no, e.stream
), texts as materialized ( -- that these calls may bring about
  select s.id, s.account_id, s.price_paisa, t.campaign_id, t.no, t.occasion, t.key, t.min_ms, t.text like '%{%' as has_columns
  from sms_campaign s join call_text t on t.campaign_id = s.call_campaign_id
  where s.call_campaign_id = any (array(select campaign_id from sums)) and s.status not in ('complete', 'cancelling', 'cancelled', 'refused', 'failed')
), due as materialized ( -- messages, each once for its row whatever follows: their numbers are made of the row's and the text's
  select t.id as campaign_id, e.no * ${textsOfRow} + t.no as no, c.line, e.phone, r.operator, r.segments[t.no + 1] as segments, e.campaign_id as call_campaign_id, e.no as row, t.has_columns
  from texts t join charged e on e.campaign_id = t.campaign_id and case t.occasion when 'success' then e.disposition = 'ANSWER' and e.bill_ms >= t.min_ms
      when 'dtmf' then e.disposition = 'ANSWER' and left(e.keys, 1) = t.key else e.state = 'done' and e.disposition not in ('ANSWER', 'LOST') end
    join call_text_row r on r.campaign_id = e.campaign_id and r.no = e.no join campaign_contact c on c.campaign_id = e.campaign_id and c.no = e.no
  where r.segments[t.no + 1] is not null
), text_messages as (
  insert into sms_message (campaign_id, no, line, phone, operator, segments) select campaign_id, no, line, phone, operator, segments from due order by campaign_id, no
  on conflict do nothing returning campaign_id, no, operator, segments
), filled as (
  insert into sms_value (campaign_id, no, vars)
  select d.campaign_id, d.no, v.vars from text_messages m join due d on d.campaign_id = m.campaign_id and d.no = m.no join contact_value v on v.campaign_id = d.call_campaign_id and v.no = d.row
  where d.has_columns returning 1
), held_messages as materialized (
  select m.campaign_id, m.no, m.operator, t.account_id, m.segments * t.price_paisa as paisa from text_messages m join (select distinct id, account_id, price_paisa from texts) t on t.id = m.campaign_id
), queued as (
  insert into sms_retry (campaign_id, operator, due_at, no, held_paisa) select campaign_id, operator, now(), no, paisa from held_messages order by campaign_id, no returning 1
), levels as materialized ( -- what each level pays; calls alike to the second are priced once, since every pulse is of whole seconds
  select campaign_id, level, payer_id, payee_id, sum(n * paid_paisa)::bigint paid_paisa, sum(n)::bigint paid
  from (
    select l.campaign_id, l.level, l.payer_id, l.payee_id, c.n,
      least(c.reserved_paisa, min(p.pulses * l.pulse_paisa) over (partition by c.campaign_id, c.reserved_paisa, c.bill_ms, c.patch_bill_ms order by l.level)) as paid_paisa
    from (
      select campaign_id, reserved_paisa, (bill_ms + 999) / 1000 * 1000 as bill_ms, (patch_bill_ms + 999) / 1000 * 1000 as patch_bill_ms, count(*) as n
      from charged where paid_paisa > 0 group by 1, 2, 3, 4
    ) c join campaign_level l on l.campaign_id = c.campaign_id, lateral (select pulses(c.bill_ms, l.pulse_ms) + pulses(c.patch_bill_ms, l.pulse_ms) as pulses) p
  ) priced where paid_paisa > 0 group by campaign_id, level, payer_id, payee_id
), locked_accounts as materialized (
  select a.id, a.balance_paisa, a.reserved_paisa from account a
  where a.id = any (array(select account_id from sums))
    and (select count(*) from history) + (select count(*) from contacts) + (select count(*) from filled) + (select count(*) from queued) >= 0 -- the rows first: from here on claims wait
  order by a.id for no key update
), settled as (
  update account a set balance_paisa = p.balance_paisa - s.paid_paisa, reserved_paisa = p.reserved_paisa - s.reserved_paisa + (select coalesce(sum(paisa), 0)::bigint from held_messages h where h.account_id = p.id)
  from (select account_id, sum(reserved_paisa)::bigint reserved_paisa, sum(paid_paisa)::bigint paid_paisa from sums group by account_id) s
  join locked_accounts p on p.id = s.account_id where a.id = s.account_id returning a.id, a.balance_paisa
), held as materialized (
  select g.account_id, g.in_call from account_grant g where g.dialer_id = $1 and g.account_id = any (array(select account_id from calls))
    and (select count(*) from settled) >= 0
  order by g.account_id desc for no key update
), released as (
  update account_grant g set in_call = t.in_call - c.n from held t join calls c on c.account_id = t.account_id where g.dialer_id = $1 and g.account_id = t.account_id returning 1
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
  insert into transfer (batch_id, payer_id, payee_id, campaign_id, level, kind, amount_paisa, attempts)
  select b.batch_id, l.payer_id, l.payee_id, l.campaign_id, l.level, 'calls', l.paid_paisa, l.paid from levels l join batches b on b.campaign_id = l.campaign_id
), entered as ( -- one line of history per account, campaign and Nepal's day; what a payee owns then is as of this statement's snapshot
  insert into credit_entry as h (account_id, action, campaign_id, day, amount_paisa, balance_paisa)
  select t.account_id, t.action, t.campaign_id, (now() at time zone 'UTC' + interval '5 hours 45 minutes')::date, t.paisa,
    coalesce(s.balance_paisa, a.balance_paisa) + coalesce(e.paisa, 0) + (select coalesce(sum(i.paisa), 0)::bigint from account_income i where i.account_id = t.account_id)
  from (select account_id, campaign_id, 'campaign_deduction'::credit_action as action, -paid_paisa as paisa from sums where paid_paisa > 0
        union all select account_id, campaign_id, 'campaign_margin', paisa from margins) t
  join account a on a.id = t.account_id left join settled s on s.id = t.account_id left join earnings e on e.account_id = t.account_id
  where (select count(*) from earned) >= 0 order by t.account_id, t.campaign_id
  on conflict (account_id, campaign_id, day, action) where campaign_id is not null
  do update set amount_paisa = h.amount_paisa + excluded.amount_paisa, balance_paisa = excluded.balance_paisa, at = now() returning 1
), retries as (
  insert into contact_retry (campaign_id, stream, due_at, no) select campaign_id, stream, now() + retry_ms * interval '1 ms', no from ended where retry_ms is not null
  union all select campaign_id, stream, now() + $5::int * interval '1 ms', follower_no from contacts where state = 'done' and follower_no is not null
), counted as (
  insert into campaign_count as k (campaign_id, slot, in_call, fresh, waiting, done, attempts, answered, dtmf, pulses, no_answer, busy, congestion, failed, cancel, invalid,
    rejected, lost, cost_paisa, uncollected_paisa)
  select campaign_id, $4, -n, fresh, waiting, done, n, answered, dtmf, pulses, no_answer, busy, congestion, failed, cancel, invalid, rejected, lost, paid_paisa, uncollected_paisa
  from sums where (select count(*) from settled) >= 0 order by campaign_id -- accounts first, as claim does
  on conflict (campaign_id, slot) do update set in_call = k.in_call + excluded.in_call, fresh = k.fresh + excluded.fresh, waiting = k.waiting + excluded.waiting,
    done = k.done + excluded.done, attempts = k.attempts + excluded.attempts, answered = k.answered + excluded.answered, dtmf = k.dtmf + excluded.dtmf,
    pulses = k.pulses + excluded.pulses, no_answer = k.no_answer + excluded.no_answer, busy = k.busy + excluded.busy, congestion = k.congestion + excluded.congestion,
    failed = k.failed + excluded.failed, cancel = k.cancel + excluded.cancel, invalid = k.invalid + excluded.invalid, rejected = k.rejected + excluded.rejected,
    lost = k.lost + excluded.lost, cost_paisa = k.cost_paisa + excluded.cost_paisa, uncollected_paisa = k.uncollected_paisa + excluded.uncollected_paisa returning 1
), counted_messages as ( -- by a slot of dialers, which no gateway writes
  insert into sms_campaign_count as k (campaign_id, slot, fresh) select campaign_id, -1 - $4::int, count(*) from held_messages
  where (select count(*) from counted) >= 0 group by campaign_id order by campaign_id
  on conflict (campaign_id, slot) do update set fresh = k.fresh + excluded.fresh returning 1
), tallied as (
  insert into campaign_tally as k (campaign_id, slot, mark, n)
  select e.campaign_id, $4, mark, sum(e.n) -- few trails differ, so these are counted first
  from (select campaign_id, trail, count(*) n from ended where trail is not null group by 1, 2) e, string_to_table(e.trail, ' ') mark
  where (select count(*) from settled) >= 0 group by 1, 3 order by 1, 3
  on conflict (campaign_id, slot, mark) do update set n = k.n + excluded.n returning 1
), numbers as ( -- customers, with the day for which the call counts, and agents
  select id, phone, account_id, case when counts_for_day(disposition, alerted) then nepal_day(claimed_at) end as day, (disposition = 'ANSWER')::int as answered from ended
  union all select id, agent_up, 0, case when agent_counts then nepal_day(now()) end, 0 from ended where agent_up <> phone -- of account 0, as release_agent counts them
), freed as ( -- last of all, after every row that a claim may hold, and from the lowest number: whoever claims one of them waits for this batch
  insert into number_use as n (phone, attempt_id, day, account_id, answered)
  select phone, id, day, account_id, answered from numbers
  where (select count(*) from counted) + (select count(*) from counted_messages) + (select count(*) from tallied) + (select count(*) from entered) + (select count(*) from released) >= 0
    and exists (select from number_use where phone = 0) order by phone
  on conflict (phone) do update set ${releasedSql}
  where n.attempt_id = excluded.attempt_id
  returning phone, account_id, others
), others as (
  insert into number_use_others as o (phone, account_id, day, tried, answered)
  select e.phone, e.account_id, e.day, 1, e.answered from (select * from freed where others) f full join numbers e on e.phone = f.phone
  where coalesce(e.day is not null and e.account_id <> f.account_id, false) order by e.phone
  on conflict (phone, account_id) do update ${countedOfOthersSql}
), options as materialized ( -- of messages after the call: few campaigns have any
  select campaign_id, occasion, host, answered_ms from after_call_option
  where campaign_id = any (array(select campaign_id from sums)) and address_sealed is not null
), messages as ( -- one of a row and occasion, ever
  insert into after_call_message (campaign_id, no, occasion, attempt_id, account_id, host)
  select c.campaign_id, c.no, o.occasion, c.id, c.account_id, o.host from options o join charged c on c.campaign_id = o.campaign_id
  where case o.occasion when 'success' then c.disposition = 'ANSWER' and coalesce(c.bill_ms, 0) >= o.answered_ms
    when 'fail' then c.state = 'done' and c.disposition not in ('ANSWER', 'LOST') else c.keys is not null end
  on conflict (campaign_id, no, occasion) do nothing returning campaign_id, occasion
), booked as (
  insert into after_call_count as k (campaign_id, slot, occasion, booked)
  select campaign_id, $4, occasion, count(*) from messages group by campaign_id, occasion order by campaign_id, occasion
  on conflict (campaign_id, slot, occasion) do update set booked = k.booked + excluded.booked
), alerted as ( -- a call that outlived its reservation
  insert into alert (kind, subject, detail) select 'uncollected', 'attempt ' || id, (cost_paisa - paid_paisa) || ' paisa above its reservation' from charged
  where cost_paisa > paid_paisa
)
select id from ended`,
)

/** Returns the attempts that counted. Throws when some outcome is such that no table accepts it; `settle` finds out which. */
export async function settleOutcomes(
  db: Queryable,
  lease: Lease,
  slot: number,
  outcomes: readonly Outcome[],
  followerMs = 0,
): Promise<number[]> {
  if (outcomes.length === 0) return []
  const columns = outcomeKeys.map((key) => outcomes.map((outcome) => outcome[key]))
  const rows = await run(db, settleStatement, [...fenced(lease), slot, followerMs, ...columns])
  return rows.map((row) => row.id)
}

/**
 * Parks the one outcome that the halving of a failing batch found, with its error. Its attempt stays open, with its reservation, until it is
 * reported again or a person closes it as LOST. Hence the alert.
 */
const parkStatement = statement(
  'park',
  `with parked as (
  insert into outcome_parked (attempt_id, error, outcome) values ($1::bigint, $2, $3)
  on conflict (attempt_id) do update set error = excluded.error, outcome = excluded.outcome returning attempt_id
)
insert into alert (kind, subject, detail) select 'outcome_parked', 'attempt ' || attempt_id, $2 from parked`,
)

export async function park(db: Queryable, outcome: Outcome, error: string): Promise<void> {
  await run(db, parkStatement, [outcome.attemptId, error, outcome])
}
