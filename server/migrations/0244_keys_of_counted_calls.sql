-- Insight's follower looks for keys and early hang-ups only in calls that have them: the pass that counts the calls knows which these are (docs/adr/25).
drop function count_attempts(bigint[], int);

-- As in 0220. Returns the attempts in which a key was pressed, or the customer hung up early.
create function count_attempts(ids bigint[], sign int default 1) returns bigint[] language plpgsql as $$
declare answering bigint[];
begin
  with alike as materialized (
  select t.account_id, t.campaign_id, nepal_minute(t.started_at) as minute, t.trunk_id, t.cli_id, coalesce(t.operator, 0) as operator,
    case when t.agent ~ '^[+]?[0-9]{3,17}$' then ltrim(t.agent, '+')::bigint else 0 end as agent,
    t.disposition, coalesce(t.alerted, false) as alerted, t.keys is not null as keyed, coalesce(t.trail !~ '>(end|cut|unknown|talk)$', false) as dropped,
    t.bill_ms is not null and t.patch_bill_ms is not null as joined, t.cost_paisa, (t.bill_ms + 999) / 1000 as billed_s, (t.patch_bill_ms + 999) / 1000 as patch_billed_s,
    count(*) as n, array_agg(t.id) as ids, sum(least(t.bill_ms, t.patch_bill_ms)) filter (where t.bill_ms is not null and t.patch_bill_ms is not null) as joined_ms, sum(t.bill_ms) as talk_ms,
    count(*) filter (where t.alerted_at >= t.started_at) as pdd_calls,
    sum((extract(epoch from t.alerted_at - t.started_at) * 1000)::bigint) filter (where t.alerted_at >= t.started_at) as pdd_ms, sum(t.pulses) as pulses
  from attempt t where t.id = any (ids) group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
), calls as materialized (
  select coalesce(a.account_id, c.account_id) as account_id, a.campaign_id, a.minute, coalesce(a.trunk_id, c.trunk_id, 0) as trunk_id, coalesce(a.cli_id, c.cli_id, 0) as cli_id,
    a.operator, coalesce(d.template_id, -1) as template_id, a.agent, a.disposition, a.disposition = 'ANSWER' as answered, a.alerted, a.keyed, a.dropped, a.joined, a.cost_paisa,
    a.billed_s * 1000 as billed_ms, a.patch_billed_s * 1000 as patch_billed_ms, a.n, a.joined_ms, a.talk_ms, a.pdd_calls, a.pdd_ms, a.pulses
  from alike a left join campaign c on c.id = a.campaign_id left join campaign_detail d on d.campaign_id = a.campaign_id
), groups as materialized (
  select account_id, campaign_id, minute, trunk_id, cli_id, operator, template_id, agent,
    sum(n) as attempts, coalesce(sum(n) filter (where answered), 0) as answered, coalesce(sum(n) filter (where disposition = 'BUSY'), 0) as busy,
    coalesce(sum(n) filter (where disposition = 'NO ANSWER'), 0) as no_answer, coalesce(sum(n) filter (where disposition = 'REJECTED'), 0) as rejected,
    coalesce(sum(n) filter (where disposition = 'INVALID'), 0) as invalid, coalesce(sum(n) filter (where disposition = 'CONGESTION'), 0) as congestion,
    coalesce(sum(n) filter (where disposition = 'FAILED'), 0) as failed, coalesce(sum(n) filter (where disposition = 'CANCEL'), 0) as cancel,
    coalesce(sum(n) filter (where disposition = 'LOST'), 0) as lost, coalesce(sum(n) filter (where alerted and not answered), 0) as rung,
    coalesce(sum(n) filter (where keyed), 0) as keyed, coalesce(sum(n) filter (where dropped), 0) as dropped, coalesce(sum(n) filter (where joined), 0) as joined,
    coalesce(sum(joined_ms), 0) as joined_ms, coalesce(sum(talk_ms), 0) as talk_ms, sum(pdd_calls) as pdd_calls, coalesce(sum(pdd_ms), 0) as pdd_ms,
    sum(pulses) as pulses, sum(n * cost_paisa) as cost_paisa
  from calls group by 1, 2, 3, 4, 5, 6, 7, 8
), priced as (
  select c.*, l.payer_id, l.payee_id, least(c.paisa, min((pulses(c.billed_ms, l.pulse_ms) + pulses(c.patch_billed_ms, l.pulse_ms)) * l.pulse_paisa)
      over (partition by c.campaign_id, c.minute, c.trunk_id, c.cli_id, c.operator, c.agent, c.paisa, c.billed_ms, c.patch_billed_ms order by l.level)) as paid_paisa
  from (select campaign_id, minute, trunk_id, cli_id, operator, agent, cost_paisa as paisa, billed_ms, patch_billed_ms, sum(n) as n from calls where cost_paisa > 0 group by 1, 2, 3, 4, 5, 6, 7, 8, 9) c
  join campaign_level l on l.campaign_id = c.campaign_id
), money as materialized (
  select campaign_id, minute, trunk_id, cli_id, operator, agent, viewer_id, sum(paid) as paid_paisa, sum(received) as received_paisa
  from (select p.*, payer_id as viewer_id, n * paid_paisa as paid, 0 as received from priced p union all select p.*, payee_id, 0, n * paid_paisa from priced p) flow group by 1, 2, 3, 4, 5, 6, 7
), seen as materialized (
  select v.viewer_id, v.child_id, g.campaign_id, g.minute, g.trunk_id, g.cli_id, g.operator, g.template_id, g.agent,
    g.attempts, g.answered, g.busy, g.no_answer, g.rejected, g.invalid, g.congestion, g.failed, g.cancel, g.lost, g.rung, g.keyed, g.dropped, g.joined,
    g.joined_ms, g.talk_ms, g.pdd_calls, g.pdd_ms, g.pulses, g.cost_paisa,
    coalesce(m.paid_paisa, 0) as paid_paisa, coalesce(m.received_paisa, 0) as received_paisa
  from groups g join counted_for(array(select distinct account_id from groups)) v on v.account_id = g.account_id
  left join money m on m.campaign_id = g.campaign_id and m.minute = g.minute and m.trunk_id = g.trunk_id and m.cli_id = g.cli_id and m.operator = g.operator and m.agent = g.agent and m.viewer_id = v.viewer_id
), counted as (
  insert into call_count as k (slice, account_id, kind, at, key, trunk_id, operator, template_id,
    attempts, answered, busy, no_answer, rejected, invalid, congestion, failed, cancel, lost, rung, keyed, dropped, joined, joined_ms, talk_ms, pdd_calls,
    pdd_ms, pulses, cost_paisa, paid_paisa, received_paisa)
  select slice, viewer_id, kind, at, key, line, network, flow,
    sign * sum(attempts) as attempts, sign * sum(answered) as answered, sign * sum(busy) as busy, sign * sum(no_answer) as no_answer, sign * sum(rejected) as rejected,
    sign * sum(invalid) as invalid, sign * sum(congestion) as congestion, sign * sum(failed) as failed, sign * sum(cancel) as cancel, sign * sum(lost) as lost, sign * sum(rung) as rung,
    sign * sum(keyed) as keyed, sign * sum(dropped) as dropped, sign * sum(joined) as joined, sign * sum(joined_ms) as joined_ms, sign * sum(talk_ms) as talk_ms, sign * sum(pdd_calls) as pdd_calls,
    sign * sum(pdd_ms) as pdd_ms, sign * sum(pulses) as pulses, sign * sum(cost_paisa) as cost_paisa, sign * sum(paid_paisa) as paid_paisa, sign * sum(received_paisa) as received_paisa
  from (
    select s.*, 'minute'::count_slice as slice, 'all'::count_kind as kind, minute as at, 0::bigint as key, trunk_id as line, 0::smallint as network, 0::smallint as flow from seen s
    where minute > nepal_minute(now()) - 48 * 60
    union all select s.*, 'hour', 'all', minute / 60, 0, trunk_id, operator, template_id from seen s
    union all select s.*, 'day', w.kind, minute / 1440, w.key, 0, 0, 0 from seen s, lateral (values ('all'::count_kind, 0::bigint), ('customer', child_id), ('campaign', campaign_id),
      ('operator', operator), ('trunk', trunk_id), ('cli', cli_id), ('template', template_id), ('agent', nullif(agent, 0))) w (kind, key) where w.key is not null
  ) every_slice where sign = 1 or kind = 'agent' group by 1, 2, 3, 4, 5, 6, 7, 8
  order by 1, 2, 3, 4, 5, 6, 7, 8
  on conflict (slice, account_id, kind, at, key, trunk_id, operator, template_id) do update set
    attempts = k.attempts + excluded.attempts, answered = k.answered + excluded.answered, busy = k.busy + excluded.busy,
    no_answer = k.no_answer + excluded.no_answer, rejected = k.rejected + excluded.rejected, invalid = k.invalid + excluded.invalid,
    congestion = k.congestion + excluded.congestion, failed = k.failed + excluded.failed, cancel = k.cancel + excluded.cancel,
    lost = k.lost + excluded.lost, rung = k.rung + excluded.rung, keyed = k.keyed + excluded.keyed, dropped = k.dropped + excluded.dropped,
    joined = k.joined + excluded.joined, joined_ms = k.joined_ms + excluded.joined_ms, talk_ms = k.talk_ms + excluded.talk_ms,
    pdd_calls = k.pdd_calls + excluded.pdd_calls, pdd_ms = k.pdd_ms + excluded.pdd_ms, pulses = k.pulses + excluded.pulses,
    cost_paisa = k.cost_paisa + excluded.cost_paisa, paid_paisa = k.paid_paisa + excluded.paid_paisa,
    received_paisa = k.received_paisa + excluded.received_paisa
)
  select array_agg(id) into answering from alike a, unnest(a.ids) id where a.keyed or a.dropped;
  return answering;
end $$;

-- As in 0129. Calls that are older than the counters are filled before their keys are, so count_attempts() has seen all of which the keys are due.
create or replace function follow_attempts(wanted int) returns int language plpgsql as $$
declare named bigint[]; answered bigint[]; taken int; filled_from bigint := 0; answers_from bigint := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('call_count')) then return 0; end if;
  select below into filled_from from call_count_fill;
  select below into answers_from from answer_count_fill;
  with gone as (
    delete from attempt_news where no = any (array(select no from attempt_news order by no limit wanted)) returning ids
  )
  select (select count(*) from gone), array_agg(id) filter (where id >= coalesce(filled_from, 0)) into taken, named from gone, unnest(ids) id;
  if named is not null then select array_agg(id) into answered from unnest(count_attempts(named)) id where id >= coalesce(answers_from, 0); end if;
  if answered is not null then perform count_answers(answered); end if;
  return coalesce(taken, 0);
end $$;

-- Planning for each batch anew took as long as counting it, until PostgreSQL had seen five of them on the connection.
alter function count_attempts(bigint[], int) set plan_cache_mode = force_generic_plan;
alter function count_answers(bigint[]) set plan_cache_mode = force_generic_plan;
