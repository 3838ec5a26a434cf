-- Each call pays for every index of its attempt, so that numbers have one: by the last four digits, then whose the call was and the number whole. It finds a
-- number or its last digits, in one account or in all.
drop index attempt_number, attempt_digits;
create index attempt_number on attempt ((phone % 10000), account_id, phone, id);

-- operator: boundaries are the first number of each range, in order, and codes whose the numbers from there on are (contract/operators.ts).
drop function fill_attempts(int, bigint[], bigint[], smallint[]);
create function fill_attempts(wanted int, boundaries bigint[], codes smallint[]) returns int language plpgsql security definer set search_path = public as $$
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
    operator = coalesce(codes[width_bucket(a.phone, boundaries)], 0)
    from campaign c where c.id = a.campaign_id and a.id >= lo and a.id < hi and a.operator is null;
  update attempt_fill set below = lo;
  return looked;
end $$;
