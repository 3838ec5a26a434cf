-- The money of calls or messages that are over: accounts pay and get free what was reserved, each
-- level above earns, and transfers and the history of credits say so. One sum for each campaign,
-- one for each of its levels.
--
-- What is earned goes to account_income, a row for each account and slot, so that writers never
-- wait for a reseller that they share. The accounts that pay are locked here, from the lowest, and
-- income after them.
create or replace function post_money_2(
  p_kind transfer_kind, -- calls or sms
  p_slot int,
  p_campaigns money_of_campaign[],
  p_levels money_of_level[]
) returns void language plpgsql as $$
#variable_conflict use_column
begin
  perform
  from account a
  where a.id = any (array(select account_id from unnest(p_campaigns)))
  order by a.id
  for no key update;

  -- what came in less what was paid on: before the balance falls, whose change may tell people that
  -- it is low
  insert into account_income as i (account_id, slot, paisa)
  select account_id, p_slot, sum(paisa)::bigint
  from (
    select payee_id as account_id, paisa
    from unnest(p_levels)
    union all
    select payer_id, -paisa
    from unnest(p_levels)
    where level > 0
  ) t
  group by account_id
  having sum(paisa) <> 0
  order by account_id
  on conflict (account_id, slot) do update set paisa = i.paisa + excluded.paisa;

  update account a
  set
    balance_paisa = a.balance_paisa - m.paid_paisa,
    reserved_paisa = a.reserved_paisa - m.released_paisa
  from (
    select
      account_id,
      sum(paid_paisa)::bigint as paid_paisa,
      sum(released_paisa)::bigint as released_paisa
    from unnest(p_campaigns)
    group by account_id
  ) m
  where a.id = m.account_id;

  if p_levels is null then
    return;
  end if;

  insert into transfer (
    batch_id,
    payer_id,
    payee_id,
    campaign_id,
    sms_campaign_id,
    level,
    kind,
    amount_paisa,
    attempts
  )
  select
    c.batch_id,
    l.payer_id,
    l.payee_id,
    case when p_kind = 'calls' then l.campaign_id end,
    case when p_kind = 'sms' then l.campaign_id end,
    l.level,
    p_kind,
    l.paisa,
    l.paid
  from unnest(p_levels) l
  join unnest(p_campaigns) c on c.campaign_id = l.campaign_id;

  if p_kind = 'calls' then
    insert into credit_entry as h (
      account_id,
      action,
      campaign_id,
      day,
      amount_paisa,
      balance_paisa
    )
    select account_id, action, campaign_id, nepal_day(now()), paisa, owned_paisa
    from money_entries_1(p_campaigns, p_levels)
    order by account_id, campaign_id
    on conflict (account_id, campaign_id, day, action) where campaign_id is not null
    do update set
      amount_paisa = h.amount_paisa + excluded.amount_paisa,
      balance_paisa = excluded.balance_paisa,
      at = now();
  else
    insert into credit_entry as h (
      account_id,
      action,
      sms_campaign_id,
      day,
      amount_paisa,
      balance_paisa
    )
    select account_id, action, campaign_id, nepal_day(now()), paisa, owned_paisa
    from money_entries_1(p_campaigns, p_levels)
    order by account_id, campaign_id
    on conflict (account_id, sms_campaign_id, day, action) where sms_campaign_id is not null
    do update set
      amount_paisa = h.amount_paisa + excluded.amount_paisa,
      balance_paisa = excluded.balance_paisa,
      at = now();
  end if;
end
$$;
