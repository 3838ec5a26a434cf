-- What every area needs: the role of the processes, partitions by id, Nepal’s calendar.

-- The role that the application's pools take on: everything but the audit log's past and the
-- ledger's. Two databases of one server may be made at once.
do $$ begin
  if not exists (select from pg_roles where rolname = 'ghanti_app') then
    create role ghanti_app nologin;
  end if;
exception when duplicate_object or unique_violation then
  null;
end $$;

-- Since PostgreSQL 16 whoever makes a role may not take it on by that alone.
do $$ begin
  if not pg_has_role(current_user, 'ghanti_app', 'set') then
    execute format('grant ghanti_app to %I', current_user);
  end if;
end $$;

grant usage on schema public to ghanti_app;
alter default privileges in schema public
  grant select, insert, update, delete on tables to ghanti_app;
alter default privileges in schema public
  grant usage, select on sequences to ghanti_app;

create extension if not exists pg_trgm;

-- One row; a restored backup gets a new id, since its attempt ids repeat.
create table installation (
  id text primary key check (id ~ '^[a-z0-9]{6}$')
);
insert into installation
values (substr(md5(random()::text || clock_timestamp()::text), 1, 6));

-- Counts up once a second, while a process reads lists from a replica: how far the replica shows it
-- says how far behind the replica is (docs/adr/57).
create table replica_beat (
  one boolean primary key default true check (one),
  beat bigint not null
);

-- Attempts and messages stay partitioned by id, and each month begins a partition of its own: the
-- sequence jumps to where the next one begins. A partition then holds (a part of) one month, the
-- hot statements are as they were, and nothing is moved or locked (docs/adr/29).
create table partition_month (
  parent text not null,
  month date not null, -- Nepal's, its first day
  -- what is claimed in the month has this id or a higher one, but for the minutes until
  -- housekeeping saw the month begin
  first_id bigint not null,
  begun_at timestamptz not null default now(),
  primary key (parent, month)
);
revoke update, delete on partition_month from ghanti_app;

-- The next partitions: as many as it takes to have `ahead` empty ones after the one in use.
-- Attaching blocks no insert.
create function make_partitions(parent text, last_id bigint, partition_rows bigint, ahead int)
returns int
language plpgsql security definer set search_path = public as $$
declare
  made int := 0;
  part text;
begin
  perform pg_advisory_xact_lock(hashtext(parent));
  for k in 0 .. last_id / partition_rows + ahead loop
    part := parent || '_' || k;
    -- older ones may have been dropped
    continue when to_regclass(part) is not null or k < last_id / partition_rows;
    execute format(
      'create table %I (like %I including defaults including constraints including indexes)',
      part,
      parent
    );
    execute format(
      'alter table %I attach partition %I for values from (%s) to (%s)',
      parent,
      part,
      k * partition_rows,
      (k + 1) * partition_rows
    );
    execute format('grant select, insert on %I to ghanti_app', part);
    made := made + 1;
  end loop;
  return made;
end
$$;

-- True: the month began now. The first month of all takes the partition that is in use; a month
-- whose partition has no row yet, too.
create function begin_month(parent_table text, ids regclass, this_month date, partition_rows bigint)
returns boolean
language plpgsql security definer set search_path = public as $$
declare
  last bigint;
  first bigint;
  used boolean;
begin
  perform pg_advisory_xact_lock(hashtext(parent_table));
  if exists (select from partition_month where parent = parent_table and month >= this_month) then
    return false;
  end if;
  execute format('select last_value from %s', ids) into last;
  first := last / partition_rows * partition_rows;
  if exists (select from partition_month where parent = parent_table) and last > first then
    first := first + partition_rows;
    if to_regclass(parent_table || '_' || first / partition_rows) is null then
      raise 'the partition of % from % is missing', parent_table, first;
    end if;
    perform setval(ids, first, false);
  end if;
  insert into partition_month (parent, month, first_id) values (parent_table, this_month, first);
  return true;
end
$$;

create function nepal_day(at timestamptz) returns date immutable parallel safe language sql
  return (at at time zone 'UTC' + interval '5 hours 45 minutes')::date;

create function nepal_midnight(day date) returns timestamptz immutable parallel safe language sql
  return (day::timestamp - interval '5 hours 45 minutes') at time zone 'UTC';

-- Of functions that are immutable themselves, so that PostgreSQL puts it in the place of each call
-- of it.
create function nepal_minute(at timestamptz) returns int immutable parallel safe language sql
  return floor((date_part('epoch', at at time zone 'UTC') + 20700) / 60)::int;
