-- The lines that money of calls or messages adds to the history of credits, one for each account
-- and campaign, with what the account owns afterwards: balance and income.
create or replace function money_entries_1(
  p_campaigns money_of_campaign[],
  p_levels money_of_level[]
) returns table (
  account_id int,
  campaign_id int,
  action credit_action,
  paisa bigint,
  owned_paisa bigint
) language sql stable as $$
  select
    t.account_id,
    t.campaign_id,
    t.action,
    t.paisa,
    a.balance_paisa + (
      select coalesce(sum(i.paisa), 0)::bigint
      from account_income i
      where i.account_id = t.account_id
    )
  from (
    select
      c.account_id,
      c.campaign_id,
      'campaign_deduction'::credit_action as action,
      -c.paid_paisa as paisa
    from unnest(p_campaigns) c
    where c.paid_paisa > 0
    union all
    select m.account_id, m.campaign_id, 'campaign_margin', sum(m.paisa)::bigint
    from (
      select payee_id as account_id, campaign_id, paisa
      from unnest(p_levels)
      union all
      select payer_id, campaign_id, -paisa
      from unnest(p_levels)
      where level > 0
    ) m
    group by m.account_id, m.campaign_id
    having sum(m.paisa) <> 0
  ) t
  join account a on a.id = t.account_id
$$;
