-- Who may be called now. A number takes one call at a time on the whole platform, and so many a day: docs/adr/8.
-- Both tables are unlogged: a crash empties them (and so does the promotion of a standby). Row (0, 0) of number_busy says that they are filled;
-- without it no call begins, until an engine has called rebuild_numbers().
create unlogged table number_busy (
  phone bigint primary key,
  attempt_id bigint not null -- of attempt_open, whose customer or agent it is; -id of trunk_test
);
-- What counts against the caps of a day. Yesterday's rows are overwritten, or removed by and by.
create unlogged table number_day (
  phone bigint not null, account_id int not null, day date not null, -- Nepal's
  tried int not null, answered int not null,
  primary key (phone, account_id)
) with (fillfactor = 70);

-- The agent's number while his leg is up, so that number_busy can be filled again.
alter table attempt_open add agent bigint;
update attempt_open o set agent = (select b.agent from agent_busy b where b.attempt_id = o.id order by b.since desc limit 1);
drop table agent_busy;

-- Its telephone rang, whatever became of the call; null: from before this was known.
alter table attempt add alerted boolean;

-- Why a row of the queue waits longer than by itself: 0, another call to its number was under way; n, its number had n calls that day.
alter table contact_retry add put_off int;

create function nepal_day(at timestamptz) returns date immutable parallel safe language sql
  return (at at time zone 'UTC' + interval '5 hours 45 minutes')::date;
create function nepal_midnight(day date) returns timestamptz immutable parallel safe language sql
  return (day::timestamp - interval '5 hours 45 minutes') at time zone 'UTC';
-- What somebody's telephone took notice of counts; what came to nothing on the way does not (DESIGN §12).
create function counts_for_day(disposition disposition, alerted boolean) returns boolean immutable parallel safe language sql
  return coalesce(alerted, false) or disposition in ('ANSWER', 'NO ANSWER', 'BUSY', 'REJECTED', 'LOST');

-- Fills both tables from what is logged, where they are not filled. False: they are, or somebody else is at it.
-- Whoever writes to them waits meanwhile, at the very beginning of his statement, when he holds nothing: so each call counts once, either here
-- or when it ends. Attempts are numbered as they are claimed, so those of a day are the last ones: read from the end, a part at a time.
create function rebuild_numbers() returns boolean language plpgsql as $$
declare
  today date := nepal_day(now());
  since timestamptz := nepal_midnight(today);
  hi bigint;
  lo bigint;
begin
  if exists (select from number_busy where phone = 0) or not pg_try_advisory_xact_lock(hashtext('rebuild_numbers')) then return false; end if;
  lock table number_busy, number_day in exclusive mode;
  if exists (select from number_busy where phone = 0) then return false; end if;
  delete from number_busy;
  delete from number_day;
  insert into number_busy (phone, attempt_id)
    select phone, id from attempt_open union all select agent, id from attempt_open where agent is not null
    union all select phone, -id from trunk_test where phone is not null and taken_at > now() - interval '3 minutes' and ended_at is null
    on conflict do nothing;
  select max(id) into hi from attempt;
  while hi is not null loop
    select min(id) into lo from (select id from attempt where id <= hi order by id desc limit 100000) part;
    insert into number_day as n (phone, account_id, day, tried, answered)
      select a.phone, c.account_id, today, count(*), count(*) filter (where a.disposition = 'ANSWER')
      from attempt a join campaign c on c.id = a.campaign_id
      where a.id between lo and hi and a.claimed_at >= since and counts_for_day(a.disposition, a.alerted)
      group by a.phone, c.account_id
      on conflict (phone, account_id) do update set tried = n.tried + excluded.tried, answered = n.answered + excluded.answered;
    exit when (select claimed_at from attempt where id = lo) < since - interval '1 hour';
    select max(id) into hi from attempt where id < lo;
  end loop;
  insert into number_busy values (0, 0);
  return true;
end $$;
select rebuild_numbers();
