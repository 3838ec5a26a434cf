-- Which keys were pressed, and after how long those hung up who did not hear all (docs/adr/18): beside call_count, which has how many they were. One row a day,
-- account and key of each kind but agents; only where there is something.
create table answer_count (
  account_id int not null, kind count_kind not null, at int not null, key bigint not null,
  -- answered calls in which the key was pressed and counted; one that pressed two keys is in both
  key_0 int not null, key_1 int not null, key_2 int not null, key_3 int not null, key_4 int not null, key_5 int not null, key_6 int not null,
  key_7 int not null, key_8 int not null, key_9 int not null, key_star int not null,
  -- answered calls that the customer ended before the end of what was to be heard (call_count.dropped), by the seconds until then: before the 5th, 10th, …
  left_5 int not null, left_10 int not null, left_20 int not null, left_30 int not null, left_60 int not null, left_later int not null,
  primary key (account_id, kind, at, key)
) with (fillfactor = 60);

-- As call_count_fill.
create table answer_count_fill (single boolean primary key default true check (single), below bigint not null);
insert into answer_count_fill (below) select greatest(s.last_value, (select coalesce(max(id), 0) from attempt)) + 1 from attempt_open_id_seq s
  where exists (select from attempt) or exists (select from attempt_open);

-- Adds attempts to answer_count, which must not hold them yet.
create function count_answers(ids bigint[]) returns void language plpgsql as $$
begin
  with answers as materialized (
    select t.account_id, t.campaign_id, t.day, t.trunk_id, t.cli_id, t.operator, t.template_id,
      (strpos(t.keys, '0') > 0)::int as key_0, (strpos(t.keys, '1') > 0)::int as key_1, (strpos(t.keys, '2') > 0)::int as key_2,
      (strpos(t.keys, '3') > 0)::int as key_3, (strpos(t.keys, '4') > 0)::int as key_4, (strpos(t.keys, '5') > 0)::int as key_5,
      (strpos(t.keys, '6') > 0)::int as key_6, (strpos(t.keys, '7') > 0)::int as key_7, (strpos(t.keys, '8') > 0)::int as key_8,
      (strpos(t.keys, '9') > 0)::int as key_9, (strpos(t.keys, '*') > 0)::int as key_star,
      (t.left_ms < 5000)::int as left_5, (t.left_ms >= 5000 and t.left_ms < 10000)::int as left_10,
      (t.left_ms >= 10000 and t.left_ms < 20000)::int as left_20, (t.left_ms >= 20000 and t.left_ms < 30000)::int as left_30,
      (t.left_ms >= 30000 and t.left_ms < 60000)::int as left_60, (t.left_ms >= 60000)::int as left_later
    from (
      select coalesce(t.account_id, c.account_id) as account_id, t.campaign_id, nepal_minute(t.started_at) / 1440 as day, coalesce(t.trunk_id, c.trunk_id, 0) as trunk_id,
        coalesce(t.cli_id, c.cli_id, 0) as cli_id, coalesce(t.operator, 0) as operator, coalesce(d.template_id, -1) as template_id, coalesce(t.keys, '') as keys,
        case when t.trail !~ '>(end|cut|unknown|talk)$' then coalesce(t.bill_ms, 0) end as left_ms
      from attempt t left join campaign c on c.id = t.campaign_id left join campaign_detail d on d.campaign_id = t.campaign_id where t.id = any (ids)
    ) t where t.keys <> '' or t.left_ms is not null
  ), groups as materialized (
    select account_id, campaign_id, day, trunk_id, cli_id, operator, template_id,
      coalesce(sum(key_0), 0) as key_0, coalesce(sum(key_1), 0) as key_1, coalesce(sum(key_2), 0) as key_2, coalesce(sum(key_3), 0) as key_3,
      coalesce(sum(key_4), 0) as key_4, coalesce(sum(key_5), 0) as key_5, coalesce(sum(key_6), 0) as key_6, coalesce(sum(key_7), 0) as key_7,
      coalesce(sum(key_8), 0) as key_8, coalesce(sum(key_9), 0) as key_9, coalesce(sum(key_star), 0) as key_star, coalesce(sum(left_5), 0) as left_5,
      coalesce(sum(left_10), 0) as left_10, coalesce(sum(left_20), 0) as left_20, coalesce(sum(left_30), 0) as left_30,
      coalesce(sum(left_60), 0) as left_60, coalesce(sum(left_later), 0) as left_later
    from answers group by 1, 2, 3, 4, 5, 6, 7
  )
  insert into answer_count as k (account_id, kind, at, key,
    key_0, key_1, key_2, key_3, key_4, key_5, key_6, key_7, key_8, key_9, key_star, left_5, left_10, left_20, left_30, left_60, left_later)
  select v.viewer_id, w.kind, g.day, w.key,
    sum(key_0), sum(key_1), sum(key_2), sum(key_3), sum(key_4), sum(key_5), sum(key_6), sum(key_7), sum(key_8), sum(key_9), sum(key_star), sum(left_5),
    sum(left_10), sum(left_20), sum(left_30), sum(left_60), sum(left_later)
  from groups g join counted_for(array(select distinct account_id from groups)) v on v.account_id = g.account_id,
    lateral (values ('all'::count_kind, 0::bigint), ('customer', v.child_id), ('campaign', g.campaign_id), ('operator', g.operator), ('trunk', g.trunk_id), ('cli', g.cli_id),
      ('template', g.template_id)) w (kind, key)
  where w.key is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (account_id, kind, at, key) do update set
    key_0 = k.key_0 + excluded.key_0, key_1 = k.key_1 + excluded.key_1, key_2 = k.key_2 + excluded.key_2, key_3 = k.key_3 + excluded.key_3,
    key_4 = k.key_4 + excluded.key_4, key_5 = k.key_5 + excluded.key_5, key_6 = k.key_6 + excluded.key_6, key_7 = k.key_7 + excluded.key_7,
    key_8 = k.key_8 + excluded.key_8, key_9 = k.key_9 + excluded.key_9, key_star = k.key_star + excluded.key_star, left_5 = k.left_5 + excluded.left_5,
    left_10 = k.left_10 + excluded.left_10, left_20 = k.left_20 + excluded.left_20, left_30 = k.left_30 + excluded.left_30,
    left_60 = k.left_60 + excluded.left_60, left_later = k.left_later + excluded.left_later;
end $$;

-- As in 0127; keys and hanging up, too.
create or replace function follow_attempts(wanted int) returns int language plpgsql as $$
declare named bigint[]; answered bigint[]; taken int; filled_from bigint := 0; answers_from bigint := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('call_count')) then return 0; end if;
  select below into filled_from from call_count_fill;
  select below into answers_from from answer_count_fill;
  with gone as (
    delete from attempt_news where no = any (array(select no from attempt_news order by no limit wanted)) returning ids
  )
  select (select count(*) from gone), array_agg(id) filter (where id >= coalesce(filled_from, 0)), array_agg(id) filter (where id >= coalesce(answers_from, 0))
    into taken, named, answered from gone, unnest(ids) id;
  if named is not null then perform count_attempts(named); end if;
  if answered is not null then perform count_answers(answered); end if;
  return coalesce(taken, 0);
end $$;

-- As fill_call_counts().
create function fill_answer_counts(wanted int) returns int language plpgsql as $$
declare hi bigint; lo bigint; looked int; named bigint[];
begin
  if not pg_try_advisory_xact_lock(hashtext('call_count')) or exists (select from attempt_fill) then return 0; end if;
  select below into hi from answer_count_fill;
  if hi is null then return 0; end if;
  with part as materialized (select id from attempt where id < hi order by id desc limit wanted), waiting as materialized (select unnest(ids) as id from attempt_news)
  select min(id), count(*), array_agg(id) filter (where id not in (select id from waiting)) into lo, looked, named from part;
  if looked = 0 then
    delete from answer_count_fill;
    return 0;
  end if;
  if named is not null then perform count_answers(named); end if;
  update answer_count_fill set below = lo;
  return looked;
end $$;
