-- Locks accounts that pay, then what accounts earn in this slot, each from the lowest, but waits
-- for none of them long. Answers those that somebody else holds on to: what was done for others
-- until then is not to wait for it. A claim has an account for a moment only.
create or replace function lock_money_1(
  p_slot int,
  p_accounts int[],
  p_earners int[],
  out o_accounts int[],
  out o_earners int[]
) language plpgsql set lock_timeout = '50ms' as $$
#variable_conflict use_column
begin
  begin
    perform
    from account
    where id = any (p_accounts)
    order by id
    for no key update;
    perform
    from account_income
    where account_id = any (p_earners)
      and slot = p_slot
    order by account_id
    for no key update;
    return;
  exception when lock_not_available then
    null;
  end;
  o_accounts := array(
    select id
    from account
    where id = any (p_accounts)
    order by id
    for no key update skip locked
  );
  o_accounts := array(select unnest(p_accounts) except select unnest(o_accounts));
  o_earners := array(
    select account_id
    from account_income
    where account_id = any (p_earners)
      and slot = p_slot
    order by account_id
    for no key update skip locked
  );
  -- one that has no line yet is nobody's
  o_earners := array(
    select account_id
    from account_income
    where account_id = any (p_earners)
      and slot = p_slot
    except
    select unnest(o_earners)
  );
end
$$;
