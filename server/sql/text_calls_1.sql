-- Messages of our own that calls which are over bring about, each once for its row whatever
-- follows: their numbers are made of the row's and the text's. Answers what they may cost, which
-- whoever calls reserves once the accounts are locked: messages are locked before them. Null: none.
create or replace function text_calls_1(
  p_slot int,
  p_ids bigint[],
  p_campaigns int[],
  out o_accounts int[],
  out o_paisa bigint[]
) language plpgsql as $$
#variable_conflict use_column
begin
  with texts as materialized (
    select
      s.id,
      s.account_id,
      s.price_paisa,
      t.campaign_id,
      t.no,
      t.occasion,
      t.key,
      t.min_ms,
      t.text like '%{%' as has_columns
    from sms_campaign s
    join call_text t on t.campaign_id = s.call_campaign_id
    where s.call_campaign_id = any (p_campaigns)
      and s.status not in ('complete', 'cancelling', 'cancelled', 'refused', 'failed')
  ), due as materialized (
    select
      t.id as campaign_id,
      e.no * 16 + t.no as no,
      c.line,
      e.phone,
      r.operator,
      r.segments[t.no + 1] as segments,
      e.campaign_id as call_campaign_id,
      e.no as row,
      t.has_columns
    from texts t
    join attempt e on e.campaign_id = t.campaign_id
    join campaign_contact c on c.campaign_id = e.campaign_id and c.no = e.no
    join call_text_row r on r.campaign_id = e.campaign_id and r.no = e.no
    where e.id = any (p_ids)
      and r.segments[t.no + 1] is not null
      and case t.occasion
        when 'success' then e.disposition = 'ANSWER' and e.bill_ms >= t.min_ms
        when 'dtmf' then e.disposition = 'ANSWER' and left(e.keys, 1) = t.key
        else c.state = 'done' and e.disposition not in ('ANSWER', 'LOST')
      end
  ), messages as (
    insert into sms_message (campaign_id, no, line, phone, operator, segments)
    select campaign_id, no, line, phone, operator, segments
    from due
    order by campaign_id, no
    on conflict do nothing
    returning campaign_id, no, operator, segments
  ), value_rows as (
    insert into sms_value (campaign_id, no, vars)
    select d.campaign_id, d.no, v.vars
    from messages m
    join due d on d.campaign_id = m.campaign_id and d.no = m.no
    join contact_value v on v.campaign_id = d.call_campaign_id and v.no = d.row
    where d.has_columns
  ), reservations as materialized (
    select m.campaign_id, m.no, m.operator, t.account_id, m.segments * t.price_paisa as paisa
    from messages m
    join (select distinct id, account_id, price_paisa from texts) t on t.id = m.campaign_id
  ), queue as (
    insert into sms_retry (campaign_id, operator, due_at, no, held_paisa)
    select campaign_id, operator, now(), no, paisa
    from reservations
    order by campaign_id, no
  ), counts as ( -- by a slot of dialers, which no gateway writes
    insert into sms_campaign_count as k (campaign_id, slot, fresh)
    select campaign_id, -1 - p_slot, count(*)
    from reservations
    group by campaign_id
    order by campaign_id
    on conflict (campaign_id, slot) do update set fresh = k.fresh + excluded.fresh
  )
  select array_agg(account_id), array_agg(paisa)
  into o_accounts, o_paisa
  from (select account_id, sum(paisa)::bigint as paisa from reservations group by account_id) h;
end
$$;
