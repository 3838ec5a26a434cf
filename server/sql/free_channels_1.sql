-- Calls that are over take no channel of their account any more, nor of the accounts above it.
create or replace function free_channels_1(p_dialer int, p_counts counts_of_calls[])
returns void language plpgsql as $$
#variable_conflict use_column
begin
  perform
  from account_grant g
  where g.dialer_id = p_dialer
    and g.account_id = any (
      array(
        select l.payer_id
        from unnest(p_counts) c
        join campaign_level l on l.campaign_id = c.campaign_id
      )
    )
  order by g.account_id desc
  for no key update;

  update account_grant g
  set in_call = g.in_call - c.calls
  from (
    select l.payer_id, sum(c.calls)::int as calls
    from unnest(p_counts) c
    join campaign_level l on l.campaign_id = c.campaign_id
    group by l.payer_id
  ) c
  where g.dialer_id = p_dialer
    and g.account_id = c.payer_id;
end
$$;
