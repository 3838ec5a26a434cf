-- Attempts and messages stay partitioned by id, and each month begins a partition of its own: the sequence jumps to where the next one begins. A
-- partition then holds (a part of) one month, the hot statements are as they were, and nothing is moved or locked (docs/adr/29).
create table partition_month (
  parent text not null, month date not null, -- Nepal's, its first day
  first_id bigint not null, -- what is claimed in the month has this id or a higher one, but for the minutes until housekeeping saw the month begin
  begun_at timestamptz not null default now(), primary key (parent, month)
);
revoke update, delete on partition_month from ghanti_app;

-- True: the month began now. The first month of all takes the partition that is in use; a month whose partition has no row yet, too.
create function begin_month(parent_table text, ids regclass, this_month date, partition_rows bigint) returns boolean
language plpgsql security definer set search_path = public as $$
declare last bigint; first bigint; used boolean;
begin
  perform pg_advisory_xact_lock(hashtext(parent_table));
  if exists (select from partition_month where parent = parent_table and month >= this_month) then return false; end if;
  execute format('select last_value from %s', ids) into last;
  first := last / partition_rows * partition_rows;
  if exists (select from partition_month where parent = parent_table) and last > first then
    first := first + partition_rows;
    if to_regclass(parent_table || '_' || first / partition_rows) is null then raise 'the partition of % from % is missing', parent_table, first; end if;
    perform setval(ids, first, false);
  end if;
  insert into partition_month (parent, month, first_id) values (parent_table, this_month, first);
  return true;
end $$;
