-- Requests to customers' own SMS services that calls which are over bring about: one of a row and
-- occasion, ever.
create or replace function ask_after_calls_1(p_slot int, p_ids bigint[], p_campaigns int[])
returns void language plpgsql as $$
#variable_conflict use_column
begin
  with options as materialized (
    select campaign_id, occasion, host, answered_ms
    from after_call_option
    where campaign_id = any (p_campaigns)
      and address_sealed is not null
  ), messages as (
    insert into after_call_message (campaign_id, no, occasion, attempt_id, account_id, host)
    select e.campaign_id, e.no, o.occasion, e.id, e.account_id, o.host
    from options o
    join attempt e on e.campaign_id = o.campaign_id
    join campaign_contact c on c.campaign_id = e.campaign_id and c.no = e.no
    where e.id = any (p_ids)
      and case o.occasion
        when 'success' then e.disposition = 'ANSWER' and coalesce(e.bill_ms, 0) >= o.answered_ms
        when 'fail' then c.state = 'done' and e.disposition not in ('ANSWER', 'LOST')
        else e.keys is not null
      end
    on conflict (campaign_id, no, occasion) do nothing
    returning campaign_id, occasion
  )
  insert into after_call_count as k (campaign_id, slot, occasion, booked)
  select campaign_id, p_slot, occasion, count(*)
  from messages
  group by campaign_id, occasion
  order by campaign_id, occasion
  on conflict (campaign_id, slot, occasion) do update set booked = k.booked + excluded.booked;
end
$$;
