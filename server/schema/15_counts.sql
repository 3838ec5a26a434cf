-- Calls and messages, counted by minute, hour and day.

-- Counters from which /insight and the dashboards read (docs/adr/25): what calls came to, by
-- Nepal's minute, hour and day, for every account of the chain and for the platform, whose account
-- is the one that earns. Whose calls is the chain of accounts above the one that called.
-- Which attempts were written and are not counted yet: a row a statement that writes attempts.
-- Whoever counts takes rows away in the transaction that adds them up, so each is counted once, and
-- one that is committed late is found late. A trigger, so that no way of writing an attempt is
-- forgotten.
create table attempt_news (
  no bigint generated always as identity primary key,
  ids bigint[] not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

create function note_attempts() returns trigger language plpgsql as $$
begin
  insert into attempt_news (ids)
  select array_agg(id)
  from (select id, (row_number() over () - 1) / 1000 as part from added) t
  group by part;
  return null;
end
$$;
create trigger attempt_noted after insert on attempt referencing new table as added
  for each statement execute function note_attempts();

create type count_slice as enum ('minute', 'hour', 'day');

create type count_kind as enum (
  'all',
  'customer',
  'campaign',
  'operator',
  'trunk',
  'cli',
  'template',
  'agent',
  'gateway',
  'sender'
);

-- One row a slice, account and key, never the product of all keys:
--   minute  of a trunk; kept for 48 hours
--   hour    of a trunk, operator and template: these can be combined
--   day     of one key of one kind: all (0), customer (the account's child), campaign, operator,
--           trunk, cli, template, agent (number)
-- at: the minute, hour or day since 1970 in Nepal's time at which the call started.
create table call_count (
  slice count_slice not null,
  account_id int not null,
  kind count_kind not null,
  at int not null,
  key bigint not null,
  trunk_id int not null,
  operator smallint not null,
  template_id smallint not null,
  attempts int not null,
  answered int not null,
  busy int not null,
  no_answer int not null,
  rejected int not null,
  invalid int not null,
  congestion int not null,
  failed int not null,
  cancel int not null,
  lost int not null,
  rung int not null, -- rang, and was not answered
  keyed int not null, -- pressed a key that counts
  -- answered, and hung up by the customer before the end of what was to be heard
  dropped int not null,
  joined int not null,
  joined_ms bigint not null, -- customer and agent were both on the line
  talk_ms bigint not null, -- of answered customers
  pdd_calls int not null,
  -- from the INVITE until it first rang or gave early media, where somebody saw when
  pdd_ms bigint not null,
  pulses bigint not null,
  cost_paisa bigint not null, -- what the users paid
  paid_paisa bigint not null,
  received_paisa bigint not null, -- what this account paid, and what it got from the account below
  primary key (slice, account_id, kind, at, key, trunk_id, operator, template_id)
) partition by list (slice);
create table call_count_minute partition of call_count
  for values in ('minute')
  with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
create table call_count_hour partition of call_count for values in ('hour') with (fillfactor = 60);
create table call_count_day partition of call_count for values in ('day') with (fillfactor = 60);
create index call_count_minute_at on call_count_minute (at);

-- Of accounts that called or wrote: everybody whose counters their calls belong to, the platform
-- among them, and which of that one's children it was; the caller itself is nobody's child there.
-- Super admins have no counters of their own.
create function counted_for(accounts int[])
returns table (account_id int, viewer_id int, child_id int) stable
language sql as $$
  with chain as (
    select u.id as account_id, p.id, p.n
    from users u, unnest(u.path) with ordinality p (id, n)
    join users x on x.id = p.id
    where u.id = any (accounts) and x.role <> 'superAdmin'
  )
  select c.account_id, c.id, lead(c.id) over (partition by c.account_id order by c.n)
  from chain c
  union all
  select c.account_id, (select id from account where kind = 'revenue'), c.id
  from chain c
  where c.n = (select min(n) from chain f where f.account_id = c.account_id)
$$;

-- Adds attempts to the counters, which must not hold them yet. What each level paid follows from
-- the attempt and the campaign's frozen chain alone: the least of what the user paid and what the
-- levels up to it owe (docs/design.md#settling). Calls that are alike are one row before anything
-- is joined or added up: of a call no more is done than to find that row. `sign` -1: takes the
-- attempts, which must be counted, away from the counters by agent. Returns the attempts in which a
-- key was pressed, or the customer hung up early.
create function count_attempts(ids bigint[], sign int default 1)
returns bigint[]
language plpgsql as $$
declare
  answering bigint[];
begin
  with alike as materialized (
    select
      t.account_id,
      t.campaign_id,
      nepal_minute(t.started_at) as minute,
      t.trunk_id,
      t.cli_id,
      coalesce(t.operator, 0) as operator,
      case when t.agent ~ '^[+]?[0-9]{3,17}$' then ltrim(t.agent, '+')::bigint else 0 end as agent,
      t.disposition,
      coalesce(t.alerted, false) as alerted,
      t.keys is not null as keyed,
      coalesce(t.trail !~ '>(end|cut|unknown|talk)$', false) as dropped,
      t.bill_ms is not null and t.patch_bill_ms is not null as joined,
      t.cost_paisa,
      (t.bill_ms + 999) / 1000 as billed_s,
      (t.patch_bill_ms + 999) / 1000 as patch_billed_s,
      count(*) as n,
      array_agg(t.id) as ids,
      sum(least(t.bill_ms, t.patch_bill_ms)) filter (
        where t.bill_ms is not null and t.patch_bill_ms is not null
      ) as joined_ms,
      sum(t.bill_ms) as talk_ms,
      count(*) filter (where t.alerted_at >= t.started_at) as pdd_calls,
      sum(
        (extract(epoch from t.alerted_at - t.started_at) * 1000)::bigint
      ) filter (where t.alerted_at >= t.started_at) as pdd_ms,
      sum(t.pulses) as pulses
    from attempt t
    where t.id = any (ids)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
  ),
  calls as materialized (
    select
      coalesce(a.account_id, c.account_id) as account_id,
      a.campaign_id,
      a.minute,
      coalesce(a.trunk_id, c.trunk_id, 0) as trunk_id,
      coalesce(a.cli_id, c.cli_id, 0) as cli_id,
      a.operator,
      coalesce(d.template_id, -1) as template_id,
      a.agent,
      a.disposition,
      a.disposition = 'ANSWER' as answered,
      a.alerted,
      a.keyed,
      a.dropped,
      a.joined,
      a.cost_paisa,
      a.billed_s * 1000 as billed_ms,
      a.patch_billed_s * 1000 as patch_billed_ms,
      a.n,
      a.joined_ms,
      a.talk_ms,
      a.pdd_calls,
      a.pdd_ms,
      a.pulses
    from alike a
    left join campaign c on c.id = a.campaign_id
    left join campaign_detail d on d.campaign_id = a.campaign_id
  ),
  groups as materialized (
    select
      account_id,
      campaign_id,
      minute,
      trunk_id,
      cli_id,
      operator,
      template_id,
      agent,
      sum(n) as attempts,
      coalesce(sum(n) filter (where answered), 0) as answered,
      coalesce(sum(n) filter (where disposition = 'BUSY'), 0) as busy,
      coalesce(sum(n) filter (where disposition = 'NO ANSWER'), 0) as no_answer,
      coalesce(sum(n) filter (where disposition = 'REJECTED'), 0) as rejected,
      coalesce(sum(n) filter (where disposition = 'INVALID'), 0) as invalid,
      coalesce(sum(n) filter (where disposition = 'CONGESTION'), 0) as congestion,
      coalesce(sum(n) filter (where disposition = 'FAILED'), 0) as failed,
      coalesce(sum(n) filter (where disposition = 'CANCEL'), 0) as cancel,
      coalesce(sum(n) filter (where disposition = 'LOST'), 0) as lost,
      coalesce(sum(n) filter (where alerted and not answered), 0) as rung,
      coalesce(sum(n) filter (where keyed), 0) as keyed,
      coalesce(sum(n) filter (where dropped), 0) as dropped,
      coalesce(sum(n) filter (where joined), 0) as joined,
      coalesce(sum(joined_ms), 0) as joined_ms,
      coalesce(sum(talk_ms), 0) as talk_ms,
      sum(pdd_calls) as pdd_calls,
      coalesce(sum(pdd_ms), 0) as pdd_ms,
      sum(pulses) as pulses,
      sum(n * cost_paisa) as cost_paisa
    from calls
    group by 1, 2, 3, 4, 5, 6, 7, 8
  ),
  priced as (
    select
      c.*,
      l.payer_id,
      l.payee_id,
      least(
        c.paisa,
        min(
          (pulses(c.billed_ms, l.pulse_ms) + pulses(c.patch_billed_ms, l.pulse_ms)) * l.pulse_paisa
        ) over(
          partition by
            c.campaign_id,
            c.minute,
            c.trunk_id,
            c.cli_id,
            c.operator,
            c.agent,
            c.paisa,
            c.billed_ms,
            c.patch_billed_ms
          order by l.level
        )
      ) as paid_paisa
    from (
      select
        campaign_id,
        minute,
        trunk_id,
        cli_id,
        operator,
        agent,
        cost_paisa as paisa,
        billed_ms,
        patch_billed_ms,
        sum(n) as n
      from calls
      where cost_paisa > 0
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ) c
    join campaign_level l on l.campaign_id = c.campaign_id
  ),
  money as materialized (
    select
      campaign_id,
      minute,
      trunk_id,
      cli_id,
      operator,
      agent,
      viewer_id,
      sum(paid) as paid_paisa,
      sum(received) as received_paisa
    from (
      select p.*, payer_id as viewer_id, n * paid_paisa as paid, 0 as received
      from priced p
      union all
      select p.*, payee_id, 0, n * paid_paisa
      from priced p
    ) flow
    group by 1, 2, 3, 4, 5, 6, 7
  ),
  seen as materialized (
    select
      v.viewer_id,
      v.child_id,
      g.campaign_id,
      g.minute,
      g.trunk_id,
      g.cli_id,
      g.operator,
      g.template_id,
      g.agent,
      g.attempts,
      g.answered,
      g.busy,
      g.no_answer,
      g.rejected,
      g.invalid,
      g.congestion,
      g.failed,
      g.cancel,
      g.lost,
      g.rung,
      g.keyed,
      g.dropped,
      g.joined,
      g.joined_ms,
      g.talk_ms,
      g.pdd_calls,
      g.pdd_ms,
      g.pulses,
      g.cost_paisa,
      coalesce(m.paid_paisa, 0) as paid_paisa,
      coalesce(m.received_paisa, 0) as received_paisa
    from groups g
    join counted_for(array(select distinct account_id from groups)) v on v.account_id = g.account_id
    left join money m
      on m.campaign_id = g.campaign_id
      and m.minute = g.minute
      and m.trunk_id = g.trunk_id
      and m.cli_id = g.cli_id
      and m.operator = g.operator
      and m.agent = g.agent
      and m.viewer_id = v.viewer_id
  ),
  counted as (
    insert into call_count as k (
      slice,
      account_id,
      kind,
      at,
      key,
      trunk_id,
      operator,
      template_id,
      attempts,
      answered,
      busy,
      no_answer,
      rejected,
      invalid,
      congestion,
      failed,
      cancel,
      lost,
      rung,
      keyed,
      dropped,
      joined,
      joined_ms,
      talk_ms,
      pdd_calls,
      pdd_ms,
      pulses,
      cost_paisa,
      paid_paisa,
      received_paisa
    )
    select
      slice,
      viewer_id,
      kind,
      at,
      key,
      line,
      network,
      flow,
      sign * sum(attempts) as attempts,
      sign * sum(answered) as answered,
      sign * sum(busy) as busy,
      sign * sum(no_answer) as no_answer,
      sign * sum(rejected) as rejected,
      sign * sum(invalid) as invalid,
      sign * sum(congestion) as congestion,
      sign * sum(failed) as failed,
      sign * sum(cancel) as cancel,
      sign * sum(lost) as lost,
      sign * sum(rung) as rung,
      sign * sum(keyed) as keyed,
      sign * sum(dropped) as dropped,
      sign * sum(joined) as joined,
      sign * sum(joined_ms) as joined_ms,
      sign * sum(talk_ms) as talk_ms,
      sign * sum(pdd_calls) as pdd_calls,
      sign * sum(pdd_ms) as pdd_ms,
      sign * sum(pulses) as pulses,
      sign * sum(cost_paisa) as cost_paisa,
      sign * sum(paid_paisa) as paid_paisa,
      sign * sum(received_paisa) as received_paisa
    from (
      select
        s.*,
        'minute'::count_slice as slice,
        'all'::count_kind as kind,
        minute as at,
        0::bigint as key,
        trunk_id as line,
        0::smallint as network,
        0::smallint as flow
      from seen s
      where minute > nepal_minute(now()) - 48 * 60
      union all
      select s.*, 'hour', 'all', minute / 60, 0, trunk_id, operator, template_id
      from seen s
      union all
      select s.*, 'day', w.kind, minute / 1440, w.key, 0, 0, 0
      from
        seen s,
        lateral (
          values
            ('all'::count_kind, 0::bigint),
            ('customer', child_id),
            ('campaign', campaign_id),
            ('operator', operator),
            ('trunk', trunk_id),
            ('cli', cli_id),
            ('template', template_id),
            ('agent', nullif(agent, 0))
        ) w (kind, key)
      where w.key is not null
    ) every_slice
    where sign = 1 or kind = 'agent'
    group by 1, 2, 3, 4, 5, 6, 7, 8
    order by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (slice, account_id, kind, at, key, trunk_id, operator, template_id) do update
    set
      attempts = k.attempts + excluded.attempts,
      answered = k.answered + excluded.answered,
      busy = k.busy + excluded.busy,
      no_answer = k.no_answer + excluded.no_answer,
      rejected = k.rejected + excluded.rejected,
      invalid = k.invalid + excluded.invalid,
      congestion = k.congestion + excluded.congestion,
      failed = k.failed + excluded.failed,
      cancel = k.cancel + excluded.cancel,
      lost = k.lost + excluded.lost,
      rung = k.rung + excluded.rung,
      keyed = k.keyed + excluded.keyed,
      dropped = k.dropped + excluded.dropped,
      joined = k.joined + excluded.joined,
      joined_ms = k.joined_ms + excluded.joined_ms,
      talk_ms = k.talk_ms + excluded.talk_ms,
      pdd_calls = k.pdd_calls + excluded.pdd_calls,
      pdd_ms = k.pdd_ms + excluded.pdd_ms,
      pulses = k.pulses + excluded.pulses,
      cost_paisa = k.cost_paisa + excluded.cost_paisa,
      paid_paisa = k.paid_paisa + excluded.paid_paisa,
      received_paisa = k.received_paisa + excluded.received_paisa
  )
  select array_agg(id)
  into answering
  from alike a, unnest(a.ids) id
  where a.keyed or a.dropped;
  return answering;
end
$$;
-- Planning for each batch anew took as long as counting it.
alter function count_attempts(bigint[], int) set plan_cache_mode = force_generic_plan;

-- Which keys were pressed, and after how long those hung up who did not hear all (docs/adr/18):
-- beside call_count, which has how many they were. One row a day, account and key of each kind but
-- agents; only where there is something.
create table answer_count (
  account_id int not null,
  kind count_kind not null,
  at int not null,
  key bigint not null,
  -- answered calls in which the key was pressed and counted; one that pressed two keys is in both
  key_0 int not null,
  key_1 int not null,
  key_2 int not null,
  key_3 int not null,
  key_4 int not null,
  key_5 int not null,
  key_6 int not null,
  key_7 int not null,
  key_8 int not null,
  key_9 int not null,
  key_star int not null,
  -- answered calls that the customer ended before the end of what was to be heard
  -- (call_count.dropped), by the seconds until then: before the 5th, 10th, …
  left_5 int not null,
  left_10 int not null,
  left_20 int not null,
  left_30 int not null,
  left_60 int not null,
  left_later int not null,
  primary key (account_id, kind, at, key)
) with (fillfactor = 60);

-- Adds attempts to answer_count, which must not hold them yet.
create function count_answers(ids bigint[]) returns void language plpgsql as $$
begin
  with answers as materialized (
    select
      t.account_id,
      t.campaign_id,
      t.day,
      t.trunk_id,
      t.cli_id,
      t.operator,
      t.template_id,
      (strpos(t.keys, '0') > 0)::int as key_0,
      (strpos(t.keys, '1') > 0)::int as key_1,
      (strpos(t.keys, '2') > 0)::int as key_2,
      (strpos(t.keys, '3') > 0)::int as key_3,
      (strpos(t.keys, '4') > 0)::int as key_4,
      (strpos(t.keys, '5') > 0)::int as key_5,
      (strpos(t.keys, '6') > 0)::int as key_6,
      (strpos(t.keys, '7') > 0)::int as key_7,
      (strpos(t.keys, '8') > 0)::int as key_8,
      (strpos(t.keys, '9') > 0)::int as key_9,
      (strpos(t.keys, '*') > 0)::int as key_star,
      (t.left_ms < 5000)::int as left_5,
      (t.left_ms >= 5000 and t.left_ms < 10000)::int as left_10,
      (t.left_ms >= 10000 and t.left_ms < 20000)::int as left_20,
      (t.left_ms >= 20000 and t.left_ms < 30000)::int as left_30,
      (t.left_ms >= 30000 and t.left_ms < 60000)::int as left_60,
      (t.left_ms >= 60000)::int as left_later
    from (
      select
        coalesce(t.account_id, c.account_id) as account_id,
        t.campaign_id,
        nepal_minute(t.started_at) / 1440 as day,
        coalesce(t.trunk_id, c.trunk_id, 0) as trunk_id,
        coalesce(t.cli_id, c.cli_id, 0) as cli_id,
        coalesce(t.operator, 0) as operator,
        coalesce(d.template_id, -1) as template_id,
        coalesce(t.keys, '') as keys,
        case when t.trail !~ '>(end|cut|unknown|talk)$' then coalesce(t.bill_ms, 0) end as left_ms
      from attempt t
      left join campaign c on c.id = t.campaign_id
      left join campaign_detail d on d.campaign_id = t.campaign_id
      where t.id = any (ids)
    ) t
    where t.keys <> '' or t.left_ms is not null
  ),
  groups as materialized (
    select
      account_id,
      campaign_id,
      day,
      trunk_id,
      cli_id,
      operator,
      template_id,
      coalesce(sum(key_0), 0) as key_0,
      coalesce(sum(key_1), 0) as key_1,
      coalesce(sum(key_2), 0) as key_2,
      coalesce(sum(key_3), 0) as key_3,
      coalesce(sum(key_4), 0) as key_4,
      coalesce(sum(key_5), 0) as key_5,
      coalesce(sum(key_6), 0) as key_6,
      coalesce(sum(key_7), 0) as key_7,
      coalesce(sum(key_8), 0) as key_8,
      coalesce(sum(key_9), 0) as key_9,
      coalesce(sum(key_star), 0) as key_star,
      coalesce(sum(left_5), 0) as left_5,
      coalesce(sum(left_10), 0) as left_10,
      coalesce(sum(left_20), 0) as left_20,
      coalesce(sum(left_30), 0) as left_30,
      coalesce(sum(left_60), 0) as left_60,
      coalesce(sum(left_later), 0) as left_later
    from answers
    group by 1, 2, 3, 4, 5, 6, 7
  )
  insert into answer_count as k (
    account_id,
    kind,
    at,
    key,
    key_0,
    key_1,
    key_2,
    key_3,
    key_4,
    key_5,
    key_6,
    key_7,
    key_8,
    key_9,
    key_star,
    left_5,
    left_10,
    left_20,
    left_30,
    left_60,
    left_later
  )
  select
    v.viewer_id,
    w.kind,
    g.day,
    w.key,
    sum(key_0),
    sum(key_1),
    sum(key_2),
    sum(key_3),
    sum(key_4),
    sum(key_5),
    sum(key_6),
    sum(key_7),
    sum(key_8),
    sum(key_9),
    sum(key_star),
    sum(left_5),
    sum(left_10),
    sum(left_20),
    sum(left_30),
    sum(left_60),
    sum(left_later)
  from groups g
  join counted_for(array(select distinct account_id from groups)) v
    on v.account_id = g.account_id,
    lateral (
      values
        ('all'::count_kind, 0::bigint),
        ('customer', v.child_id),
        ('campaign', g.campaign_id),
        ('operator', g.operator),
        ('trunk', g.trunk_id),
        ('cli', g.cli_id),
        ('template', g.template_id)
    ) w (kind, key)
  where w.key is not null
  group by 1, 2, 3, 4
  order by 1, 2, 3, 4
  on conflict (account_id, kind, at, key) do update
  set
    key_0 = k.key_0 + excluded.key_0,
    key_1 = k.key_1 + excluded.key_1,
    key_2 = k.key_2 + excluded.key_2,
    key_3 = k.key_3 + excluded.key_3,
    key_4 = k.key_4 + excluded.key_4,
    key_5 = k.key_5 + excluded.key_5,
    key_6 = k.key_6 + excluded.key_6,
    key_7 = k.key_7 + excluded.key_7,
    key_8 = k.key_8 + excluded.key_8,
    key_9 = k.key_9 + excluded.key_9,
    key_star = k.key_star + excluded.key_star,
    left_5 = k.left_5 + excluded.left_5,
    left_10 = k.left_10 + excluded.left_10,
    left_20 = k.left_20 + excluded.left_20,
    left_30 = k.left_30 + excluded.left_30,
    left_60 = k.left_60 + excluded.left_60,
    left_later = k.left_later + excluded.left_later;
end
$$;
alter function count_answers(bigint[]) set plan_cache_mode = force_generic_plan;

-- Counts what attempt_news names, so many rows of it at most, and answers how many they were; 0 too
-- when another process is at it.
create function follow_attempts(wanted int) returns int language plpgsql as $$
declare
  named bigint[];
  answered bigint[];
  taken int;
begin
  if not pg_try_advisory_xact_lock(hashtext('call_count')) then
    return 0;
  end if;
  with gone as (
    delete from attempt_news
    where no = any (array(select no from attempt_news order by no limit wanted))
    returning ids
  )
  select (select count(*) from gone), array_agg(id)
  into taken, named
  from gone, unnest(ids) id;
  if named is not null then
    answered := count_attempts(named);
  end if;
  if cardinality(answered) > 0 then
    perform count_answers(answered);
  end if;
  return coalesce(taken, 0);
end
$$;

-- Takes those of the attempts that are counted away from the counters by agent. Whoever calls holds
-- the lock of those who count.
create function uncount_agents(ids bigint[]) returns void language plpgsql as $$
declare
  counted bigint[];
begin
  select array_agg(t.id)
  into counted
  from attempt t
  where t.id = any (ids)
    and t.agent is not null
    and t.id not in (select unnest(n.ids) from attempt_news n);
  if counted is null then
    return;
  end if;
  perform count_attempts(counted, -1);
  delete from call_count k
  using (
    select distinct
      v.viewer_id,
      nepal_minute(t.started_at) / 1440 as at,
      ltrim(t.agent, '+')::bigint as agent
    from attempt t
    left join campaign c
      on c.id = t.campaign_id, counted_for(array[coalesce(t.account_id, c.account_id)]) v
    where t.id = any (counted) and t.agent ~ '^[+]?[0-9]{3,17}$'
  ) e
  where k.slice = 'day'
    and k.account_id = e.viewer_id
    and k.kind = 'agent'
    and k.at = e.at
    and k.key = e.agent
    and k.attempts = 0;
end
$$;

-- The history is insert-only for the application; of campaigns that were deleted these two empty
-- the next rows of it, whatever calls them, and answer how far they came. Numbers of agents whose
-- legs count go, too. Nothing of the money is touched.
create function forget_attempts(deleted int, wanted int)
returns int
language plpgsql security definer set search_path = public as $$
declare
  seen int;
  last bigint;
begin
  select attempts_to into last from campaign_deleted where campaign_id = deleted for update;
  if not found then
    raise 'campaign % was not deleted', deleted;
  end if;
  with part as materialized (
    select id from attempt where campaign_id = deleted and id > last order by id limit wanted
  ),
  emptied as (
    update attempt a
    set phone = 0, keys = null, agent = null, trail = null, recording = null, agents_counted = null
    from part
    where a.id = part.id
    returning a.id
  )
  select count(*), coalesce(max(id), last)
  into seen, last
  from emptied;
  update campaign_deleted
  set attempts_to = last, rows_done = rows_done + seen
  where campaign_id = deleted;
  return seen;
end
$$;

-- forget_attempts() of the next calls of a campaign that was deleted, after they left the counters
-- by agent. Answers how many they were.
create function forget_calls(deleted int, wanted int) returns int language plpgsql as $$
declare
  last bigint;
  next bigint[];
begin
  select attempts_to into last from campaign_deleted where campaign_id = deleted for update;
  perform pg_advisory_xact_lock(hashtext('call_count'));
  select array_agg(id)
  into next
  from (
    select id from attempt where campaign_id = deleted and id > last order by id limit wanted
  ) part;
  if next is not null then
    perform uncount_agents(next);
  end if;
  return forget_attempts(deleted, wanted);
end
$$;

-- Counters of messages, as of calls: by Nepal's hour and day of the claim, of submissions that came
-- to an end. What receipts say later is added to that hour, too.
create type sms_news_kind as enum ('sent', 'delivered', 'undelivered');

create table sms_news (
  no bigint generated always as identity primary key,
  what sms_news_kind not null,
  ids bigint[] not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

create function note_messages() returns trigger language plpgsql as $$
begin
  insert into sms_news (what, ids)
  select 'sent', array_agg(id)
  from (select id, (row_number() over () - 1) / 1000 as part from added) t
  group by part;
  return null;
end
$$;
create trigger sms_noted after insert on sms_sent referencing new table as added
  for each statement execute function note_messages();

-- hour: of a gateway and operator. day: of one key of one kind: all, customer, campaign (of
-- messages), operator, gateway, sender.
create table sms_count (
  slice count_slice not null,
  account_id int not null,
  kind count_kind not null,
  at int not null,
  key bigint not null,
  gateway_id int not null,
  operator smallint not null,
  messages int not null,
  accepted int not null,
  refused int not null,
  unknown int not null,
  delivered int not null,
  undelivered int not null, -- by receipts
  segments bigint not null, -- that were paid for
  cost_paisa bigint not null,
  paid_paisa bigint not null,
  received_paisa bigint not null,
  primary key (slice, account_id, kind, at, key, gateway_id, operator),
  check (slice <> 'minute')
) with (fillfactor = 60);

create function count_messages(sent bigint[], delivered_ids bigint[], undelivered_ids bigint[])
returns void
language plpgsql as $$
begin
  with told as (
    select
      id,
      sum(is_new)::int as is_new,
      sum(delivered)::int as delivered,
      sum(undelivered)::int as undelivered
    from (
      select unnest(sent) as id, 1 as is_new, 0 as delivered, 0 as undelivered
      union all
      select unnest(delivered_ids), 0, 1, 0
      union all
      select unnest(undelivered_ids), 0, 0, 1
    ) t
    group by id
  ),
  calls as materialized (
    select
      m.account_id,
      m.campaign_id,
      nepal_minute(m.claimed_at) / 60 as hour,
      m.gateway_id,
      m.operator,
      coalesce(d.sender_id, 0) as sender_id,
      t.is_new,
      m.accepted as segments_accepted,
      m.cost_paisa as paisa,
      t.is_new as messages,
      t.is_new * (m.accepted > 0)::int as accepted,
      t.is_new * (m.result = 'refused')::int as refused,
      t.is_new * (m.result = 'unknown')::int as unknown,
      t.delivered,
      t.undelivered,
      t.is_new * m.accepted as segments,
      t.is_new * m.cost_paisa as cost_paisa
    from told t
    join sms_sent m on m.id = t.id
    left join sms_campaign_detail d on d.campaign_id = m.campaign_id
  ),
  groups as materialized (
    select
      account_id,
      campaign_id,
      hour,
      gateway_id,
      operator,
      sender_id,
      sum(messages) as messages,
      sum(accepted) as accepted,
      sum(refused) as refused,
      sum(unknown) as unknown,
      sum(delivered) as delivered,
      sum(undelivered) as undelivered,
      sum(segments) as segments,
      sum(cost_paisa) as cost_paisa
    from calls
    group by 1, 2, 3, 4, 5, 6
  ),
  priced as (
    select
      c.*,
      l.payer_id,
      l.payee_id,
      least(
        c.paisa,
        min(c.segments_accepted * l.segment_paisa) over (
          partition by c.campaign_id, c.hour, c.gateway_id, c.operator, c.paisa, c.segments_accepted
          order by l.level
        )
      ) as paid_paisa
    from (
      select campaign_id, hour, gateway_id, operator, paisa, segments_accepted, count(*) as n
      from calls
      where paisa > 0 and is_new = 1
      group by 1, 2, 3, 4, 5, 6
    ) c
    join sms_campaign_level l on l.campaign_id = c.campaign_id
  ),
  money as materialized (
    select
      campaign_id,
      hour,
      gateway_id,
      operator,
      viewer_id,
      sum(paid) as paid_paisa,
      sum(received) as received_paisa
    from (
      select p.*, payer_id as viewer_id, n * paid_paisa as paid, 0 as received
      from priced p
      union all
      select p.*, payee_id, 0, n * paid_paisa
      from priced p
    ) flow
    group by 1, 2, 3, 4, 5
  ),
  seen as materialized (
    select
      v.viewer_id,
      v.child_id,
      g.campaign_id,
      g.hour,
      g.gateway_id,
      g.operator,
      g.sender_id,
      g.messages,
      g.accepted,
      g.refused,
      g.unknown,
      g.delivered,
      g.undelivered,
      g.segments,
      g.cost_paisa,
      coalesce(m.paid_paisa, 0) as paid_paisa,
      coalesce(m.received_paisa, 0) as received_paisa
    from groups g
    join counted_for(array(select distinct account_id from groups)) v on v.account_id = g.account_id
    left join money m
      on m.campaign_id = g.campaign_id
      and m.hour = g.hour
      and m.gateway_id = g.gateway_id
      and m.operator = g.operator
      and m.viewer_id = v.viewer_id
  )
  insert into sms_count as k (
    slice,
    account_id,
    kind,
    at,
    key,
    gateway_id,
    operator,
    messages,
    accepted,
    refused,
    unknown,
    delivered,
    undelivered,
    segments,
    cost_paisa,
    paid_paisa,
    received_paisa
  )
  select
    slice,
    viewer_id,
    kind,
    at,
    key,
    way,
    network,
    sum(messages) as messages,
    sum(accepted) as accepted,
    sum(refused) as refused,
    sum(unknown) as unknown,
    sum(delivered) as delivered,
    sum(undelivered) as undelivered,
    sum(segments) as segments,
    sum(cost_paisa) as cost_paisa,
    sum(paid_paisa) as paid_paisa,
    sum(received_paisa) as received_paisa
  from (
    select
      s.*,
      'hour'::count_slice as slice,
      'all'::count_kind as kind,
      hour as at,
      0::bigint as key,
      gateway_id as way,
      operator as network
    from seen s
    union all
    select s.*, 'day', w.kind, hour / 24, w.key, 0, 0
    from
      seen s,
      lateral (
        values
          ('all'::count_kind, 0::bigint),
          ('customer', child_id),
          ('campaign', campaign_id),
          ('operator', operator),
          ('gateway', gateway_id),
          ('sender', nullif(sender_id, 0))
      ) w (kind, key)
    where w.key is not null
  ) every_slice
  group by 1, 2, 3, 4, 5, 6, 7
  order by 1, 2, 3, 4, 5, 6, 7
  on conflict (slice, account_id, kind, at, key, gateway_id, operator) do update
  set
    messages = k.messages + excluded.messages,
    accepted = k.accepted + excluded.accepted,
    refused = k.refused + excluded.refused,
    unknown = k.unknown + excluded.unknown,
    delivered = k.delivered + excluded.delivered,
    undelivered = k.undelivered + excluded.undelivered,
    segments = k.segments + excluded.segments,
    cost_paisa = k.cost_paisa + excluded.cost_paisa,
    paid_paisa = k.paid_paisa + excluded.paid_paisa,
    received_paisa = k.received_paisa + excluded.received_paisa;
end
$$;

-- As follow_attempts(). A receipt of a message that is still open, as an unknown one may be for
-- long, is put back until the message came to its end.
create function follow_messages(wanted int) returns int language plpgsql as $$
declare
  taken int;
  sent bigint[];
  ok bigint[];
  bad bigint[];
begin
  if not pg_try_advisory_xact_lock(hashtext('sms_count')) then
    return 0;
  end if;
  with gone as (
    delete from sms_news
    where no = any (array(select no from sms_news order by no limit wanted))
    returning what, ids
  ),
  named as materialized ( select what, id from gone, unnest(ids) id ),
  early as materialized (
    select n.what, n.id
    from named n
    where n.what <> 'sent' and exists (select from sms_open o where o.id = n.id)
  ),
  put_back as (
    insert into sms_news (what, ids) select what, array_agg(id) from early group by what
  )
  select
    (select count(*) from gone) - (select count(distinct what) from early),
    array_agg(id) filter (where what = 'sent'),
    array_agg(id) filter (where what = 'delivered' and id not in (select id from early)),
    array_agg(id) filter (where what = 'undelivered' and id not in (select id from early))
  into taken, sent, ok, bad
  from named;
  if num_nonnulls(sent, ok, bad) > 0 then
    perform count_messages(coalesce(sent, '{}'), coalesce(ok, '{}'), coalesce(bad, '{}'));
  end if;
  return greatest(0, coalesce(taken, 0));
end
$$;

create function forget_sent(deleted int, wanted int)
returns int
language plpgsql security definer set search_path = public as $$
declare
  seen int;
  last bigint;
begin
  select attempts_to into last from sms_campaign_deleted where campaign_id = deleted for update;
  if not found then
    raise 'campaign % was not deleted', deleted;
  end if;
  with part as materialized (
    select id from sms_sent where campaign_id = deleted and id > last order by id limit wanted
  ),
  emptied as (
    update sms_sent a set phone = 0, reason = null from part where a.id = part.id returning a.id
  )
  select count(*), coalesce(max(id), last)
  into seen, last
  from emptied;
  update sms_campaign_deleted
  set attempts_to = last, rows_done = rows_done + seen
  where campaign_id = deleted;
  return seen;
end
$$;
