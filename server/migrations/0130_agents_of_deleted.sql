-- The agents of a campaign that is deleted leave the counters by agent with its calls: nothing else there says whom somebody's calls were handed to. What a call
-- counted for is taken away again by the statement that adds it, so that no second one has to agree with it.
drop function count_attempts(bigint[]);

-- As in 0127. `sign` -1: takes the attempts, which must be counted, away from the counters by agent.
create function count_attempts(ids bigint[], sign int default 1) returns void language plpgsql as $$
begin
  with calls as materialized (
  select coalesce(t.account_id, c.account_id) as account_id, t.campaign_id, nepal_minute(t.started_at) as minute, coalesce(t.trunk_id, c.trunk_id, 0) as trunk_id,
    coalesce(t.cli_id, c.cli_id, 0) as cli_id, coalesce(t.operator, 0) as operator, coalesce(d.template_id, -1) as template_id,
    case when t.agent ~ '^[+]?[0-9]{3,17}$' then ltrim(t.agent, '+')::bigint else 0 end as agent, (t.bill_ms + 999) / 1000 * 1000 as billed_ms, (t.patch_bill_ms + 999) / 1000 * 1000 as patch_billed_ms,
    1 as attempts, (t.disposition = 'ANSWER')::int as answered, (t.disposition = 'BUSY')::int as busy, (t.disposition = 'NO ANSWER')::int as no_answer,
    (t.disposition = 'REJECTED')::int as rejected, (t.disposition = 'INVALID')::int as invalid, (t.disposition = 'CONGESTION')::int as congestion,
    (t.disposition = 'FAILED')::int as failed, (t.disposition = 'CANCEL')::int as cancel, (t.disposition = 'LOST')::int as lost,
    (coalesce(t.alerted, false) and t.disposition <> 'ANSWER')::int as rung, (t.keys is not null)::int as keyed,
    coalesce((t.trail !~ '>(end|cut|unknown|talk)$')::int, 0) as dropped, (t.bill_ms is not null and t.patch_bill_ms is not null)::int as joined,
    case when t.bill_ms is not null and t.patch_bill_ms is not null then least(t.bill_ms, t.patch_bill_ms) else 0 end as joined_ms, coalesce(t.bill_ms, 0) as talk_ms,
    (t.alerted_at is not null and t.alerted_at >= t.started_at)::int as pdd_calls,
    coalesce(greatest(0, extract(epoch from t.alerted_at - t.started_at) * 1000), 0)::bigint as pdd_ms, t.pulses, t.cost_paisa
  from attempt t left join campaign c on c.id = t.campaign_id left join campaign_detail d on d.campaign_id = t.campaign_id where t.id = any (ids)
), groups as materialized (
  select account_id, campaign_id, minute, trunk_id, cli_id, operator, template_id, agent,
    sum(attempts) as attempts, sum(answered) as answered, sum(busy) as busy, sum(no_answer) as no_answer, sum(rejected) as rejected,
    sum(invalid) as invalid, sum(congestion) as congestion, sum(failed) as failed, sum(cancel) as cancel, sum(lost) as lost, sum(rung) as rung,
    sum(keyed) as keyed, sum(dropped) as dropped, sum(joined) as joined, sum(joined_ms) as joined_ms, sum(talk_ms) as talk_ms, sum(pdd_calls) as pdd_calls,
    sum(pdd_ms) as pdd_ms, sum(pulses) as pulses, sum(cost_paisa) as cost_paisa
  from calls group by 1, 2, 3, 4, 5, 6, 7, 8
), priced as (
  select c.*, l.payer_id, l.payee_id, least(c.paisa, min((pulses(c.billed_ms, l.pulse_ms) + pulses(c.patch_billed_ms, l.pulse_ms)) * l.pulse_paisa)
      over (partition by c.campaign_id, c.minute, c.trunk_id, c.cli_id, c.operator, c.agent, c.paisa, c.billed_ms, c.patch_billed_ms order by l.level)) as paid_paisa
  from (select campaign_id, minute, trunk_id, cli_id, operator, agent, cost_paisa as paisa, billed_ms, patch_billed_ms, count(*) as n from calls where cost_paisa > 0 group by 1, 2, 3, 4, 5, 6, 7, 8, 9) c
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
)
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
    received_paisa = k.received_paisa + excluded.received_paisa;
end $$;

-- Takes those of the attempts that are counted away from the counters by agent. Whoever calls holds the lock of those who count.
create function uncount_agents(ids bigint[]) returns void language plpgsql as $$
declare counted bigint[];
begin
  select array_agg(t.id) into counted from attempt t where t.id = any (ids) and t.agent is not null
    and t.id >= coalesce((select below from call_count_fill), 0) and t.id not in (select unnest(n.ids) from attempt_news n);
  if counted is null then return; end if;
  perform count_attempts(counted, -1);
  delete from call_count k using (
    select distinct v.viewer_id, nepal_minute(t.started_at) / 1440 as at, ltrim(t.agent, '+')::bigint as agent
    from attempt t left join campaign c on c.id = t.campaign_id, counted_for(array[coalesce(t.account_id, c.account_id)]) v
    where t.id = any (counted) and t.agent ~ '^[+]?[0-9]{3,17}$'
  ) e where k.slice = 'day' and k.account_id = e.viewer_id and k.kind = 'agent' and k.at = e.at and k.key = e.agent and k.attempts = 0;
end $$;

-- forget_attempts() (0143) of the next calls of a campaign that was deleted, after they left the counters by agent. Answers how many they were.
create function forget_calls(deleted int, wanted int) returns int language plpgsql as $$
declare last bigint; next bigint[];
begin
  select attempts_to into last from campaign_deleted where campaign_id = deleted for update;
  perform pg_advisory_xact_lock(hashtext('call_count'));
  select array_agg(id) into next from (select id from attempt where campaign_id = deleted and id > last order by id limit wanted) part;
  if next is not null then perform uncount_agents(next); end if;
  return forget_attempts(deleted, wanted);
end $$;
