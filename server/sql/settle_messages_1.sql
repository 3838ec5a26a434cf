-- Settles outcomes of messages of one gateway, or by the lease of gateway 0 the ends of unknown
-- ones: history, rows, ids for receipts, retries, the money of every level, counters, and numbers
-- of the day. Answers the messages that counted.
--   accepted  the gateway took all of it: paid
--   refused   final; p_accepted segments were taken before and are paid
--   unknown   its answer is lost: it keeps its reservation, and p_accepted segments are certain
--   back      nothing of it was taken: its row goes back to the queue
--   settled   the end of an unknown one: p_accepted segments are paid, the rest is released
--
-- A message that is not open changes nothing. Of several outcomes of one message the first counts,
-- so it does not matter how outcomes are split into batches.
--
-- The parts lock in their order: fence, end, pay, count, free. Each sees what was committed before
-- it began. The rows come before the accounts, for which claims wait. They hand on sums, not rows.
create or replace function settle_messages_1(
  p_gateway int,
  p_engine text,
  p_epoch bigint,
  p_slot int, -- of account_income and the counters
  p_id bigint[], -- messages; of several outcomes of one the first counts
  p_kind text[],
  p_accepted int[], -- segments
  p_retry_ms int[], -- until a row that goes back is due
  p_is_fault boolean[], -- the gateway's, which counts against the row
  p_answered boolean[], -- of an unknown one: some answer arrived
  p_code text[],
  p_reason text[],
  p_ids int[], -- how many ids the segments of each were given
  p_key text[], -- these ids
  p_key_id bigint[] -- and the message of each
) returns setof bigint language plpgsql as $$
#variable_conflict use_column
declare
  ids bigint[];
  money money_of_campaign[];
  levels money_of_level[];
  counts counts_of_messages[];
  -- numbers that nothing reached, with the day for which their messages counted
  phones bigint[];
  phone_accounts int[];
  phone_days date[];
  phone_messages int[];
begin
  -- fence
  perform
  from sms_lease
  where gateway_id = p_gateway
    and engine_id = p_engine
    and epoch = p_epoch
    and expires_at > clock_timestamp()
  for share;
  if not found then
    return;
  end if;

  -- end
  with outcomes as materialized (
    select distinct on (outcome_id) *
    from unnest(
      p_id,
      p_kind,
      p_accepted,
      p_retry_ms,
      p_is_fault,
      p_answered,
      p_code,
      p_reason,
      p_ids
    ) with ordinality as t (
      outcome_id,
      kind,
      outcome_accepted,
      in_ms,
      is_fault,
      outcome_answered,
      code,
      reason,
      ids,
      outcome_no
    )
    order by outcome_id, outcome_no
  ), submissions as (
    delete from sms_open o
    using outcomes t
    where o.id = t.outcome_id
      and t.kind <> 'unknown'
      and case
        when t.kind = 'settled' then p_gateway = 0 and o.unknown_at is not null
        else o.gateway_id = p_gateway and o.unknown_at is null
      end
    returning
      o.*,
      t.*,
      case t.kind
        when 'accepted' then o.segments
        when 'back' then 0
        else least(t.outcome_accepted, o.segments)
      end as taken
  ), unknowns as (
    update sms_open o
    set
      unknown_at = now(),
      answered = t.outcome_answered,
      accepted = least(t.outcome_accepted, o.segments)
    from outcomes t
    where o.id = t.outcome_id
      and t.kind = 'unknown'
      and o.gateway_id = p_gateway
      and o.unknown_at is null
    returning o.id, o.gateway_id, o.campaign_id, o.no, o.segments, t.reason
  ), ends as materialized (
    select
      g.*,
      least(g.reserved_paisa, g.taken * l.segment_paisa) as paid_paisa,
      -- stands in the queue with its row again
      case when g.is_held and g.kind = 'back' then g.reserved_paisa else 0 end as held_paisa
    from submissions g
    join sms_campaign_level l on l.campaign_id = g.campaign_id and l.level = 0
  ), sums as materialized (
    select
      campaign_id,
      account_id,
      case when sum(paid_paisa) > 0 then nextval('batch_id') end as batch_id,
      sum(reserved_paisa - held_paisa)::bigint as released_paisa,
      sum(paid_paisa)::bigint as paid_paisa,
      sum(taken)::bigint as segments,
      count(*) filter (where kind <> 'settled')::int as ended,
      count(*) filter (where kind = 'back' and from_state = 'fresh')::int as fresh,
      count(*) filter (where kind = 'back' and from_state = 'waiting')::int as waiting,
      count(*) filter (where kind = 'accepted')::int as submitted,
      count(*) filter (where kind = 'refused')::int as failed,
      count(*) filter (where taken > 0)::int as accepted
    from ends
    group by campaign_id, account_id
  ), history as (
    insert into sms_sent (
      id,
      batch_id,
      claimed_at,
      campaign_id,
      no,
      account_id,
      gateway_id,
      phone,
      operator,
      result,
      segments,
      accepted,
      cost_paisa,
      code,
      reason
    )
    select
      e.id,
      case when e.paid_paisa > 0 then s.batch_id end,
      e.claimed_at,
      e.campaign_id,
      e.no,
      e.account_id,
      e.gateway_id,
      e.phone,
      e.operator,
      case e.kind
        when 'accepted' then 'accepted'::sms_result
        when 'refused' then 'refused'
        else 'unknown'
      end,
      e.segments,
      e.taken,
      e.paid_paisa,
      e.code,
      e.reason
    from ends e
    join sums s on s.campaign_id = e.campaign_id
    where e.kind <> 'back'
  ), queue as (
    insert into sms_retry (campaign_id, operator, due_at, no, held_paisa, until, is_urgent)
    select campaign_id, operator, now() + in_ms * interval '1 ms', no, held_paisa, until, is_urgent
    from ends
    where kind = 'back'
  ), segment_ids as (
    insert into sms_segment_id as g (gateway_id, id_key, sms_id, campaign_id, no)
    select distinct on (k.id_key) m.gateway_id, k.id_key, m.id, m.campaign_id, m.no
    from unnest(p_key, p_key_id) as k (id_key, id)
    join (
      select id, gateway_id, campaign_id, no
      from ends
      where kind in ('accepted', 'refused')
      union all
      select id, gateway_id, campaign_id, no
      from unknowns
    ) m on m.id = k.id
    order by k.id_key
    on conflict (gateway_id, id_key) do update set
      sms_id = excluded.sms_id,
      campaign_id = excluded.campaign_id,
      no = excluded.no,
      state = null,
      at = now()
  ), messages as (
    update sms_message m
    set
      state = e.state,
      faults = m.faults + e.fault,
      parts_left = e.parts_left,
      parts_bad = 0,
      gateway_id = e.gateway_id,
      sms_id = e.id,
      submitted_at = case
        when e.state in ('submitted', 'unknown') then now()
        else m.submitted_at
      end,
      final_at = case when e.state = 'failed' then now() end,
      reason = e.reason
    from (
      select
        campaign_id,
        no,
        id,
        gateway_id,
        is_fault::int as fault,
        case kind
          when 'accepted' then 'submitted'::sms_state
          when 'refused' then 'failed'
          else from_state
        end as state,
        case when kind = 'accepted' then ids else 0 end as parts_left,
        case when kind = 'refused' then reason end as reason
      from ends
      where kind in ('accepted', 'refused')
        or (kind = 'back' and is_fault)
      union all
      select campaign_id, no, id, gateway_id, 0, 'unknown', segments, reason
      from unknowns
    ) e
    where m.campaign_id = e.campaign_id
      and m.no = e.no
  ), prices as ( -- at most what the level below pays, and the first at most what was reserved
    select
      l.campaign_id,
      l.level,
      l.payer_id,
      l.payee_id,
      e.messages,
      least(e.reserved_paisa, min(e.taken * l.segment_paisa) over up) as paisa
    from (
      select campaign_id, reserved_paisa, taken, count(*) as messages
      from ends
      where paid_paisa > 0
      group by campaign_id, reserved_paisa, taken
    ) e
    join sms_campaign_level l on l.campaign_id = e.campaign_id
    window up as (
      partition by e.campaign_id, e.reserved_paisa, e.taken
      order by l.level
    )
  ), levels as (
    select
      campaign_id,
      level,
      payer_id,
      payee_id,
      sum(messages * paisa)::bigint as paisa,
      sum(messages)::bigint as paid
    from prices
    where paisa > 0
    group by campaign_id, level, payer_id, payee_id
  ), counts as (
    select
      campaign_id,
      ended,
      fresh,
      waiting,
      submitted,
      failed,
      0 as unknown,
      accepted,
      segments,
      paid_paisa
    from sums
    union all
    select campaign_id, count(*)::int, 0, 0, 0, 0, count(*)::int, 0, 0, 0
    from unknowns
    group by campaign_id
  ), numbers as (
    select phone, account_id, day, count(*)::int as messages
    from ends
    where kind in ('back', 'refused')
      and taken = 0
    group by phone, account_id, day
  )
  select
    (select array_agg(id) from (select id from ends union all select id from unknowns) o),
    (
      select
        array_agg(
          row(campaign_id, account_id, batch_id, released_paisa, paid_paisa)::money_of_campaign
        )
      from sums
    ),
    (
      select
        array_agg(row(campaign_id, level, payer_id, payee_id, paisa, paid)::money_of_level)
      from levels
    ),
    (
      select
        array_agg(
          row(
            campaign_id,
            ended,
            fresh,
            waiting,
            submitted,
            failed,
            unknown,
            accepted,
            segments,
            paid_paisa
          )::counts_of_messages
        )
      from counts
    ),
    n.phones,
    n.accounts,
    n.days,
    n.messages
  into
    ids,
    money,
    levels,
    counts,
    phones,
    phone_accounts,
    phone_days,
    phone_messages
  from (
    select
      array_agg(phone) as phones,
      array_agg(account_id) as accounts,
      array_agg(day) as days,
      array_agg(messages) as messages
    from numbers
  ) n;
  if ids is null then
    return;
  end if;

  -- pay
  if money is not null then
    perform post_money_2('sms', p_slot, money, levels);
  end if;

  -- count
  insert into sms_campaign_count as k (
    campaign_id,
    slot,
    in_flight,
    fresh,
    waiting,
    submitted,
    failed,
    unknown,
    accepted,
    segments,
    cost_paisa
  )
  select
    campaign_id,
    p_slot,
    -sum(ended),
    sum(fresh),
    sum(waiting),
    sum(submitted),
    sum(failed),
    sum(unknown),
    sum(accepted),
    sum(segments),
    sum(cost_paisa)
  from unnest(counts)
  group by campaign_id
  order by campaign_id
  on conflict (campaign_id, slot) do update set
    in_flight = k.in_flight + excluded.in_flight,
    fresh = k.fresh + excluded.fresh,
    waiting = k.waiting + excluded.waiting,
    submitted = k.submitted + excluded.submitted,
    failed = k.failed + excluded.failed,
    unknown = k.unknown + excluded.unknown,
    accepted = k.accepted + excluded.accepted,
    segments = k.segments + excluded.segments,
    cost_paisa = k.cost_paisa + excluded.cost_paisa;

  -- free: what reached nobody does not count for the day
  update sms_number_day n
  set sent = greatest(0, n.sent - f.messages)
  from unnest(phones, phone_accounts, phone_days, phone_messages)
    as f (phone, account_id, day, messages)
  where n.phone = f.phone
    and n.account_id = f.account_id
    and n.day = f.day;

  return query select unnest(ids);
end
$$;
