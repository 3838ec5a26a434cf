-- Takes one message of a program into the feed of the day: its row, its place in the queue with its
-- money, and what the program calls it. What is accepted is paid for.
--
-- Answers the number of the message and what it may cost; without a number, what one costs and what
-- is free. All null: the feed takes nothing, as its day is over, it is not running, or its account
-- is frozen. It locks as claims do: campaign (shared), account, queue, counters. Numbers are
-- without gaps, since whoever has the account's lock takes the next one.
create or replace function accept_message_1(
  p_campaign int,
  p_key int,
  p_phone bigint,
  p_operator smallint,
  p_segments smallint,
  p_text text,
  p_reference text,
  p_valid_seconds int,
  p_is_urgent boolean,
  out o_no int,
  out o_paisa bigint,
  out o_free_paisa bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  account_of_feed int;
  price bigint;
  free bigint;
begin
  select account_id, price_paisa
  into account_of_feed, price
  from sms_campaign
  where id = p_campaign
    and status = 'running'
    and feed = nepal_day(clock_timestamp())
  for share;
  if not found then
    return;
  end if;

  select balance_paisa - reserved_paisa
  into free
  from account
  where id = account_of_feed
    and not frozen
  for no key update;
  if not found then
    return;
  end if;
  o_paisa := p_segments * price;
  o_free_paisa := free;
  if o_paisa > free then
    return;
  end if;

  update account
  set reserved_paisa = reserved_paisa + o_paisa
  where id = account_of_feed
    and o_paisa > 0;

  -- of a slot that nobody else writes, and that only grows
  insert into sms_campaign_count as k (campaign_id, slot, fresh)
  values (p_campaign, -32768, 1)
  on conflict (campaign_id, slot) do update set fresh = k.fresh + 1
  returning k.fresh - 1 into o_no;

  insert into sms_message (campaign_id, no, line, phone, operator, segments)
  values (p_campaign, o_no, o_no + 1, p_phone, p_operator, p_segments);

  insert into sms_retry (campaign_id, operator, due_at, no, held_paisa, until, is_urgent)
  values (
    p_campaign,
    p_operator,
    now(),
    o_no,
    o_paisa,
    now() + p_valid_seconds * interval '1 second',
    p_is_urgent
  );

  insert into api_send (campaign_id, no, account_id, key_id, reference, text)
  values (p_campaign, o_no, account_of_feed, p_key, p_reference, p_text);
end
$$;
