-- One row says of a number who calls it now and how often it was called today, so that a call writes it twice in place and touches its index once
-- (docs/adr/8). Before it, two tables took an insert, a delete and an insert for each call, with three entries of indexes.
drop table number_busy, number_day;
-- Row (0, 0) says that both tables are filled: a crash empties them, and so does the promotion of a standby. Without it no call begins, until an
-- engine has called rebuild_numbers().
create unlogged table number_use (
  phone bigint primary key,
  attempt_id bigint, -- who calls it: of attempt_open, whose customer or agent it is; -id of trunk_test; null: nobody
  day date, account_id int, tried int not null default 0, answered int not null default 0, -- what counts against caps, of the first account on that day of Nepal's
  others boolean not null default false -- number_use_others has more of that day
) with (fillfactor = 45); -- the calls of a batch end on the page on which they began: both versions of each row must fit, then no index is written
-- What counts of further accounts that called a number on the same day.
create unlogged table number_use_others (
  phone bigint not null, account_id int not null, day date not null, tried int not null, answered int not null,
  primary key (phone, account_id)
) with (fillfactor = 70);
-- Of all accounts.
create view number_day as
  select phone, account_id, day, tried, answered from number_use where tried > 0 union all
  select phone, account_id, day, tried, answered from number_use_others;

-- Each call paid for an entry that nothing but the judge looked up, once a minute; who counts open calls reads the table, which is small.
drop index attempt_open_campaign;

-- Fills both tables from what is logged, where they are not filled. False: they are, or somebody else is at it.
-- Whoever writes to them waits meanwhile, at the very beginning of his statement, when he holds nothing: so each call counts once, either here
-- or when it ends. Attempts are numbered as they are claimed, so those of a day are the last ones: their beginning is looked for from the end.
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
    where a.id >= lo and a.claimed_at >= since and counts_for_day(a.disposition, a.alerted) group by a.phone, c.account_id
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
select rebuild_numbers();
