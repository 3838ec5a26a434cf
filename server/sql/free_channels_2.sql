-- Calls that are over take no channel of their account any more, nor of the accounts above it, on
-- the dialers that had them. One line for each dialer and campaign. From the highest account and,
-- of each, from the lowest dialer, as grant_channels.
create or replace function free_channels_2(p_dialers int[], p_campaigns int[], p_calls int[])
returns void language plpgsql as $$
#variable_conflict use_column
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

  update account_grant g
  set in_call = g.in_call - c.calls
  from (
    select t.dialer_id, l.payer_id, sum(t.calls)::int as calls
    from unnest(p_dialers, p_campaigns, p_calls) t (dialer_id, campaign_id, calls)
    join campaign_level l on l.campaign_id = t.campaign_id
    group by t.dialer_id, l.payer_id
  ) c
  where g.dialer_id = c.dialer_id
    and g.account_id = c.payer_id;
end
$$;
