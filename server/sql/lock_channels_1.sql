-- Locks what dialers have of the channels of campaigns' accounts and of the accounts above, in the
-- order of free_channels_2, but waits for none of it long. Answers the campaigns of what somebody
-- else holds on to. A line for each dialer and campaign.
create or replace function lock_channels_1(p_dialers int[], p_campaigns int[])
returns int[] language plpgsql set lock_timeout = '50ms' as $$
#variable_conflict use_column
declare
  dialers int[];
  accounts int[];
begin
  begin
    perform
    from (
      select distinct t.dialer_id, l.payer_id
      from unnest(p_dialers, p_campaigns) t (dialer_id, campaign_id)
      join campaign_level l on l.campaign_id = t.campaign_id
    ) t
    join account_grant g on g.dialer_id = t.dialer_id and g.account_id = t.payer_id
    order by g.account_id desc, g.dialer_id
    for no key update of g;
    return null;
  exception when lock_not_available then
    null;
  end;
  with free_rows as materialized (
    select g.dialer_id, g.account_id
    from (
      select distinct t.dialer_id, l.payer_id
      from unnest(p_dialers, p_campaigns) t (dialer_id, campaign_id)
      join campaign_level l on l.campaign_id = t.campaign_id
    ) t
    join account_grant g on g.dialer_id = t.dialer_id and g.account_id = t.payer_id
    order by g.account_id desc, g.dialer_id
    for no key update of g skip locked
  )
  select array_agg(dialer_id), array_agg(account_id)
  into dialers, accounts
  from free_rows;
  return array(
    select distinct t.campaign_id
    from unnest(p_dialers, p_campaigns) t (dialer_id, campaign_id)
    join campaign_level l on l.campaign_id = t.campaign_id
    join account_grant g on g.dialer_id = t.dialer_id and g.account_id = l.payer_id
    where (g.dialer_id, g.account_id) not in (
      select *
      from unnest(dialers, accounts)
    )
  );
end
$$;
