-- Attempts say by themselves whose they are and which way they went, so that calls of many campaigns are one list. Columns are added empty, which
-- touches no row: what older attempts lack is filled in by fill_attempts() while the product runs, the newest first.
-- At 10 million attempts on two busy cores the four indexes take about a minute (15, 14, 24 and 4 s), all else milliseconds.
create type attempt_kind as enum ('campaign', 'test', 'callNow');

alter table attempt_open add trunk_id int, add cli_id int, add operator smallint, add kind attempt_kind;
update attempt_open o set trunk_id = c.trunk_id, cli_id = c.cli_id, kind = case when c.is_test then 'test' else 'campaign' end::attempt_kind
  from campaign c where c.id = o.campaign_id;

-- Of the campaign and its call: null where nobody has filled it in yet. operator: of the number called, contract/operators.ts. alerted_at: when its telephone
-- first rang or gave early media, by the dialer's clock; null: it did not, or nobody saw when.
alter table attempt add account_id int, add trunk_id int, add cli_id int, add operator smallint, add kind attempt_kind, add alerted_at timestamptz;
create index attempt_account on attempt (account_id, id);
-- Every call to a number, whoever made it; by its last digits for one account as for all, hence the digits first.
create index attempt_number on attempt (phone, id);
create index attempt_digits on attempt ((phone % 10000), account_id);
create index attempt_agent on attempt (agent, id) where agent is not null;
drop index attempt_phone, attempt_last_digits;

-- Attempts with lower ids may lack what campaigns know of them. No row: none does.
create table attempt_fill (single boolean primary key default true check (single), below bigint not null);
insert into attempt_fill (below) select s.last_value + 1 from attempt_open_id_seq s
  where exists (select from attempt) or exists (select from attempt_open);

-- Fills in the next so many attempts, from the newest down, and answers how many it looked at; 0: all are filled, or another process is at it.
-- Attempts are otherwise never changed, and nobody but their owner may. Ranges are those of operators' numbers, the narrowest that fits holds.
create function fill_attempts(wanted int, lows bigint[], highs bigint[], codes smallint[]) returns int language plpgsql security definer set search_path = public as $$
declare hi bigint; lo bigint; looked int;
begin
  select below into hi from attempt_fill for update skip locked;
  if hi is null then return 0; end if;
  select min(id), count(*) into lo, looked from (select id from attempt where id < hi order by id desc limit wanted) part;
  if looked = 0 then
    delete from attempt_fill;
    return 0;
  end if;
  update attempt a set account_id = c.account_id, trunk_id = c.trunk_id, cli_id = c.cli_id, kind = case when c.is_test then 'test' else 'campaign' end::attempt_kind,
    operator = coalesce((select t.code from unnest(lows, highs, codes) t (lo, hi, code) where a.phone between t.lo and t.hi order by t.hi - t.lo limit 1), 0)
    from campaign c where c.id = a.campaign_id and a.id >= lo and a.id < hi and a.operator is null;
  update attempt_fill set below = lo;
  return looked;
end $$;
