-- An agent's telephone may be blacklisted, and is rung in vain as often a day as the platform allows calls to a number (docs/adr/8).
alter type agent_missed add value 'blacklisted';
alter type agent_missed add value 'calledOften';

-- Agents who were rung in this call and did not talk for long enough: a number for each leg that counts towards the platform's cap of its day.
-- number_use and number_use_others count them as calls of account 0, which is nobody's.
alter table attempt_open add agents_counted bigint[];
alter table attempt add agents_counted bigint[];

-- As in 0062, with agents' legs, on the day on which they were settled. Calls of deleted campaigns have no number any more.
create or replace function rebuild_numbers() returns boolean language plpgsql as $$
declare
  today date := nepal_day(now());
  since timestamptz := nepal_midnight(today);
  lo bigint;
begin
  if exists (select from number_use where phone = 0) or not pg_try_advisory_xact_lock(hashtext('rebuild_numbers')) then return false; end if;
  lock table number_use, number_use_others in exclusive mode;
  if exists (select from number_use where phone = 0) then return false; end if;
  delete from number_use;
  delete from number_use_others;
  insert into number_use (phone, attempt_id)
    select phone, id from attempt_open union all select agent, id from attempt_open where agent is not null
    union all select phone, -id from trunk_test where phone is not null and taken_at > now() - interval '3 minutes' and ended_at is null
    on conflict do nothing;
  select max(id) into lo from attempt;
  while lo is not null and (select claimed_at from attempt where id = lo) >= since - interval '1 hour' loop
    exit when not exists (select from attempt where id < lo);
    select min(id) into lo from (select id from attempt where id < lo order by id desc limit 100000) part;
  end loop;
  with days as (
    select a.phone, c.account_id, count(*) as tried, count(*) filter (where a.disposition = 'ANSWER') as answered
    from attempt a join campaign c on c.id = a.campaign_id
    where a.id >= lo and a.claimed_at >= since and a.phone <> 0 and counts_for_day(a.disposition, a.alerted) group by a.phone, c.account_id
    union all
    select agent, 0, count(*), 0 from (
      select unnest(agents_counted) as agent from attempt where id >= lo and settled_at >= since and agents_counted is not null
      union all select unnest(agents_counted) from attempt_open
    ) legs group by agent
  ), ranked as (
    select *, row_number() over (partition by phone order by account_id) as place, count(*) over (partition by phone) as accounts from days
  ), first as (
    insert into number_use as n (phone, day, account_id, tried, answered, others)
    select phone, today, account_id, tried, answered, accounts > 1 from ranked where place = 1
    on conflict (phone) do update set day = excluded.day, account_id = excluded.account_id, tried = excluded.tried, answered = excluded.answered, others = excluded.others
  )
  insert into number_use_others select phone, account_id, today, tried, answered from ranked where place > 1;
  insert into number_use (phone, attempt_id) values (0, 0);
  return true;
end $$;

-- As in 0143, with the numbers of agents whose legs count.
create or replace function forget_attempts(deleted int, wanted int) returns int language plpgsql security definer set search_path = public as $$
declare seen int; last bigint;
begin
  select attempts_to into last from campaign_deleted where campaign_id = deleted for update;
  if not found then raise 'campaign % was not deleted', deleted; end if;
  with part as materialized (select id from attempt where campaign_id = deleted and id > last order by id limit wanted
  ), emptied as (
    update attempt a set phone = 0, keys = null, agent = null, trail = null, recording = null, agents_counted = null from part where a.id = part.id returning a.id
  ) select count(*), coalesce(max(id), last) into seen, last from emptied;
  update campaign_deleted set attempts_to = last, rows_done = rows_done + seen where campaign_id = deleted;
  return seen;
end $$;
