-- Messages of a feed whose time is over, and that nobody is sending: they end as expired, once, and
-- what was held for them is free. By the lease of a gateway, or of the coordinator. Answers how
-- many; fewer than p_rows: no more. It locks as claims do: lease, campaign (shared), account,
-- queue, counters.
create or replace function expire_messages_1(
  p_gateway int,
  p_engine text,
  p_epoch bigint,
  p_campaign int,
  p_rows int,
  p_slot int,
  p_reason text
) returns int language plpgsql as $$
#variable_conflict use_column
declare
  payer int;
  ended int;
begin
  perform
  from sms_lease
  where gateway_id = p_gateway
    and engine_id = p_engine
    and epoch = p_epoch
    and expires_at > clock_timestamp()
  for share;
  if not found then
    return 0;
  end if;

  select account_id
  into payer
  from sms_campaign
  where id = p_campaign
    and feed is not null
  for share;
  perform from account where id = payer for no key update;

  with due as materialized (
    select ctid
    from sms_retry
    where campaign_id = p_campaign
      and until <= now()
    order by until
    limit p_rows
    for update skip locked
  ), removals as (
    delete from sms_retry
    where ctid = any (array(select ctid from due))
    returning no, held_paisa
  ), releases as (
    update account a
    set reserved_paisa = a.reserved_paisa - r.paisa
    from (select coalesce(sum(held_paisa), 0)::bigint as paisa from removals) r
    where a.id = payer
      and r.paisa > 0
  ), expiries as (
    update sms_message m
    set
      state = 'expired',
      final_at = now(),
      reason = p_reason
    where m.campaign_id = p_campaign
      and m.no = any (array(select no from removals))
    returning m.campaign_id, m.no, old.state
  ), told as ( -- hooks: no history has rows that end here
    insert into hook_news (user_id, type, of_messages, campaign_id, ids)
    select payer, 'messages.changed', true, e.campaign_id, array_agg(e.no order by e.no)
    from expiries e
    where hooks_want(payer, 'messages.changed')
    group by e.campaign_id
  ), counts as (
    insert into sms_campaign_count as k (campaign_id, slot, fresh, waiting, expired)
    select
      p_campaign,
      p_slot,
      -count(*) filter (where state = 'fresh'),
      -count(*) filter (where state = 'waiting'),
      count(*)
    from expiries
    having count(*) > 0
    on conflict (campaign_id, slot) do update set
      fresh = k.fresh + excluded.fresh,
      waiting = k.waiting + excluded.waiting,
      expired = k.expired + excluded.expired
  )
  select count(*) into ended from expiries;
  return ended;
end
$$;
