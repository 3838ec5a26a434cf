-- Numbers of calls that are over may be called again, and have these calls on their day. From the
-- lowest: whoever claims one of them waits for this batch. A day that is null counts none.
create or replace function free_numbers_1(
  p_id bigint[], -- whose number it was
  p_phone bigint[],
  p_account int[],
  p_day date[],
  p_answered int[] -- 0 or 1
) returns void language plpgsql as $$
#variable_conflict use_column
begin
  with numbers as (
    select *
    from unnest(p_id, p_phone, p_account, p_day, p_answered)
      as t (id, phone, account_id, day, answered)
  ), free as (
    insert into number_use as n (phone, attempt_id, day, account_id, answered)
    select phone, id, day, account_id, answered
    from numbers
    where exists (select from number_use where phone = 0)
    order by phone
    on conflict (phone) do update set
      attempt_id = null,
      day = coalesce(excluded.day, n.day),
      account_id = case
        when excluded.day is null or excluded.day = n.day then n.account_id
        else excluded.account_id
      end,
      tried = case
        when excluded.day is null then n.tried
        when excluded.day = n.day then n.tried + (excluded.account_id = n.account_id)::int
        else 1
      end,
      answered = case
        when excluded.day is null then n.answered
        when excluded.day = n.day
          then n.answered + (excluded.account_id = n.account_id)::int * excluded.answered
        else excluded.answered
      end,
      others = case
        when excluded.day is null then n.others
        when excluded.day = n.day then n.others or excluded.account_id <> n.account_id
        else false
      end
    where n.attempt_id = excluded.attempt_id
    returning phone, account_id, others
  )
  insert into number_use_others as o (phone, account_id, day, tried, answered)
  select e.phone, e.account_id, e.day, 1, e.answered
  from (select phone, account_id from free where others) f
  full join numbers e on e.phone = f.phone -- in full, since nobody can say how many they are
  where coalesce(e.day is not null and e.account_id <> f.account_id, false)
  order by e.phone
  on conflict (phone, account_id) do update set
    day = excluded.day,
    tried = case when o.day = excluded.day then o.tried else 0 end + 1,
    answered = case when o.day = excluded.day then o.answered else 0 end + excluded.answered;
end
$$;
