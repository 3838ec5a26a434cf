-- Counters from which /insight and the dashboards read (docs/adr/25): what calls came to, by Nepal's minute, hour and day, for every account of the chain
-- and for the platform, whose account is the one that earns. Whose calls is the chain of accounts above the one that called.

-- Which attempts were written and are not counted yet: a row a statement that writes attempts. Whoever counts takes rows away in the transaction that adds
-- them up, so each is counted once, and one that is committed late is found late. A trigger, so that no way of writing an attempt is forgotten.
create table attempt_news (no bigint generated always as identity primary key, ids bigint[] not null)
  with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create function note_attempts() returns trigger language plpgsql as $$
begin
  insert into attempt_news (ids) select array_agg(id) from (select id, (row_number() over () - 1) / 1000 as part from added) t group by part;
  return null;
end $$;
create trigger attempt_noted after insert on attempt referencing new table as added for each statement execute function note_attempts();

-- Attempts with lower ids are counted by fill_call_counts(), from the newest down, whether they are in attempt_news or not. No row: all are counted.
create table call_count_fill (single boolean primary key default true check (single), below bigint not null);
insert into call_count_fill (below) select s.last_value + 1 from attempt_open_id_seq s where exists (select from attempt) or exists (select from attempt_open);

create type count_slice as enum ('minute', 'hour', 'day');
create type count_kind as enum ('all', 'customer', 'campaign', 'operator', 'trunk', 'cli', 'template', 'agent', 'gateway', 'sender');

-- One row a slice, account and key, never the product of all keys:
--   minute  of a trunk; kept for 48 hours
--   hour    of a trunk, operator and template: these can be combined
--   day     of one key of one kind: all (0), customer (the account's child), campaign, operator, trunk, cli, template, agent (number)
-- at: the minute, hour or day since 1970 in Nepal's time at which the call started.
create table call_count (
  slice count_slice not null, account_id int not null, kind count_kind not null, at int not null, key bigint not null,
  trunk_id int not null, operator smallint not null, template_id smallint not null,
  attempts int not null, answered int not null, busy int not null, no_answer int not null, rejected int not null, invalid int not null, congestion int not null,
  failed int not null, cancel int not null, lost int not null,
  rung int not null, -- rang, and was not answered
  keyed int not null, -- pressed a key that counts
  dropped int not null, -- answered, and hung up by the customer before the end of what was to be heard
  joined int not null, joined_ms bigint not null, -- customer and agent were both on the line
  talk_ms bigint not null, -- of answered customers
  pdd_calls int not null, pdd_ms bigint not null, -- from the INVITE until it first rang or gave early media, where somebody saw when
  pulses bigint not null,
  cost_paisa bigint not null, -- what the users paid
  paid_paisa bigint not null, received_paisa bigint not null, -- what this account paid, and what it got from the account below
  primary key (slice, account_id, kind, at, key, trunk_id, operator, template_id)
) partition by list (slice);
create table call_count_minute partition of call_count for values in ('minute') with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
create index call_count_minute_at on call_count_minute (at);
create table call_count_hour partition of call_count for values in ('hour') with (fillfactor = 60);
create table call_count_day partition of call_count for values in ('day') with (fillfactor = 60);

create function nepal_minute(at timestamptz) returns int immutable parallel safe language sql return floor((extract(epoch from at) + 20700) / 60)::int;

-- Of accounts that called or wrote: everybody whose counters their calls belong to, the platform among them, and which of that one's children it was; the
-- caller itself is nobody's child there. Super admins have no counters of their own.
create function counted_for(accounts int[]) returns table (account_id int, viewer_id int, child_id int) stable language sql as $$
  with chain as (
    select u.id as account_id, p.id, p.n from users u, unnest(u.path) with ordinality p (id, n) join users x on x.id = p.id
    where u.id = any (accounts) and x.role <> 'superAdmin'
  )
  select c.account_id, c.id, lead(c.id) over (partition by c.account_id order by c.n) from chain c
  union all select c.account_id, (select id from account where kind = 'revenue'), c.id from chain c where c.n = (select min(n) from chain f where f.account_id = c.account_id)
$$;

-- Adds attempts to the counters, which must not hold them yet. What each level paid follows from the attempt and the campaign's frozen chain alone: the least of
-- what the user paid and what the levels up to it owe (docs/design.md#settling). Calls that are alike are priced once.
create function count_attempts(ids bigint[]) returns void language plpgsql as $$
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
    sum(attempts) as attempts, sum(answered) as answered, sum(busy) as busy, sum(no_answer) as no_answer, sum(rejected) as rejected,
    sum(invalid) as invalid, sum(congestion) as congestion, sum(failed) as failed, sum(cancel) as cancel, sum(lost) as lost, sum(rung) as rung,
    sum(keyed) as keyed, sum(dropped) as dropped, sum(joined) as joined, sum(joined_ms) as joined_ms, sum(talk_ms) as talk_ms, sum(pdd_calls) as pdd_calls,
    sum(pdd_ms) as pdd_ms, sum(pulses) as pulses, sum(cost_paisa) as cost_paisa, sum(paid_paisa) as paid_paisa, sum(received_paisa) as received_paisa
  from (
    select s.*, 'minute'::count_slice as slice, 'all'::count_kind as kind, minute as at, 0::bigint as key, trunk_id as line, 0::smallint as network, 0::smallint as flow from seen s
    where minute > nepal_minute(now()) - 48 * 60
    union all select s.*, 'hour', 'all', minute / 60, 0, trunk_id, operator, template_id from seen s
    union all select s.*, 'day', w.kind, minute / 1440, w.key, 0, 0, 0 from seen s, lateral (values ('all'::count_kind, 0::bigint), ('customer', child_id), ('campaign', campaign_id),
      ('operator', operator), ('trunk', trunk_id), ('cli', cli_id), ('template', template_id), ('agent', nullif(agent, 0))) w (kind, key) where w.key is not null
  ) every_slice group by 1, 2, 3, 4, 5, 6, 7, 8
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

-- Counts what attempt_news names, so many rows of it at most, and answers how many they were; 0 too when another process is at it.
create function follow_attempts(wanted int) returns int language plpgsql as $$
declare named bigint[]; taken int; filled_from bigint := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('call_count')) then return 0; end if;
  select below into filled_from from call_count_fill;
  with gone as (
    delete from attempt_news where no = any (array(select no from attempt_news order by no limit wanted)) returning ids
  )
  select (select count(*) from gone), array_agg(id) filter (where id >= coalesce(filled_from, 0)) into taken, named from gone, unnest(ids) id;
  if named is not null then perform count_attempts(named); end if;
  return coalesce(taken, 0);
end $$;

-- Counts the next so many attempts from before the counters, from the newest down, and answers how many it looked at; 0: all are counted, another process is
-- at it, or they do not know yet which way they went (fill_attempts). What attempt_news names is left to follow_attempts(): by one snapshot it is either.
create function fill_call_counts(wanted int) returns int language plpgsql as $$
declare hi bigint; lo bigint; looked int; named bigint[];
begin
  if not pg_try_advisory_xact_lock(hashtext('call_count')) or exists (select from attempt_fill) then return 0; end if;
  select below into hi from call_count_fill;
  if hi is null then return 0; end if;
  with part as materialized (select id from attempt where id < hi order by id desc limit wanted), waiting as materialized (select unnest(ids) as id from attempt_news)
  select min(id), count(*), array_agg(id) filter (where id not in (select id from waiting)) into lo, looked, named from part;
  if looked = 0 then
    delete from call_count_fill;
    return 0;
  end if;
  if named is not null then perform count_attempts(named); end if;
  update call_count_fill set below = lo;
  return looked;
end $$;
