-- Counters of messages, as 0127 has them of calls: by Nepal's hour and day of the claim, of submissions that came to an end. What receipts say later is added
-- to that hour, too.
create type sms_news_kind as enum ('sent', 'delivered', 'undelivered');
create table sms_news (no bigint generated always as identity primary key, what sms_news_kind not null, ids bigint[] not null)
  with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create function note_messages() returns trigger language plpgsql as $$
begin
  insert into sms_news (what, ids) select 'sent', array_agg(id) from (select id, (row_number() over () - 1) / 1000 as part from added) t group by part;
  return null;
end $$;
create trigger sms_noted after insert on sms_sent referencing new table as added for each statement execute function note_messages();

-- As call_count_fill.
create table sms_count_fill (single boolean primary key default true check (single), below bigint not null);
insert into sms_count_fill (below) select s.last_value + 1 from sms_open_id_seq s where exists (select from sms_sent) or exists (select from sms_open);

-- hour: of a gateway and operator. day: of one key of one kind: all, customer, campaign (of messages), operator, gateway, sender.
create table sms_count (
  slice count_slice not null, account_id int not null, kind count_kind not null, at int not null, key bigint not null, gateway_id int not null, operator smallint not null,
  messages int not null, accepted int not null, refused int not null, unknown int not null,
  delivered int not null, undelivered int not null, -- by receipts
  segments bigint not null, -- that were paid for
  cost_paisa bigint not null, paid_paisa bigint not null, received_paisa bigint not null,
  primary key (slice, account_id, kind, at, key, gateway_id, operator), check (slice <> 'minute')
) with (fillfactor = 60);

create function count_messages(sent bigint[], delivered_ids bigint[], undelivered_ids bigint[]) returns void language plpgsql as $$
begin
  with told as (
  select id, sum(is_new)::int as is_new, sum(delivered)::int as delivered, sum(undelivered)::int as undelivered from (
    select unnest(sent) as id, 1 as is_new, 0 as delivered, 0 as undelivered union all select unnest(delivered_ids), 0, 1, 0 union all select unnest(undelivered_ids), 0, 0, 1) t group by id
), calls as materialized (
  select m.account_id, m.campaign_id, nepal_minute(m.claimed_at) / 60 as hour, m.gateway_id, m.operator, coalesce(d.sender_id, 0) as sender_id, t.is_new, m.accepted as segments_accepted, m.cost_paisa as paisa,
    t.is_new as messages, t.is_new * (m.accepted > 0)::int as accepted, t.is_new * (m.result = 'refused')::int as refused, t.is_new * (m.result = 'unknown')::int as unknown,
    t.delivered, t.undelivered, t.is_new * m.accepted as segments, t.is_new * m.cost_paisa as cost_paisa
  from told t join sms_sent m on m.id = t.id left join sms_campaign_detail d on d.campaign_id = m.campaign_id
), groups as materialized (
  select account_id, campaign_id, hour, gateway_id, operator, sender_id,
    sum(messages) as messages, sum(accepted) as accepted, sum(refused) as refused, sum(unknown) as unknown, sum(delivered) as delivered,
    sum(undelivered) as undelivered, sum(segments) as segments, sum(cost_paisa) as cost_paisa
  from calls group by 1, 2, 3, 4, 5, 6
), priced as (
  select c.*, l.payer_id, l.payee_id, least(c.paisa, min(c.segments_accepted * l.segment_paisa)
      over (partition by c.campaign_id, c.hour, c.gateway_id, c.operator, c.paisa, c.segments_accepted order by l.level)) as paid_paisa
  from (select campaign_id, hour, gateway_id, operator, paisa, segments_accepted, count(*) as n from calls where paisa > 0 and is_new = 1 group by 1, 2, 3, 4, 5, 6) c
  join sms_campaign_level l on l.campaign_id = c.campaign_id
), money as materialized (
  select campaign_id, hour, gateway_id, operator, viewer_id, sum(paid) as paid_paisa, sum(received) as received_paisa
  from (select p.*, payer_id as viewer_id, n * paid_paisa as paid, 0 as received from priced p union all select p.*, payee_id, 0, n * paid_paisa from priced p) flow group by 1, 2, 3, 4, 5
), seen as materialized (
  select v.viewer_id, v.child_id, g.campaign_id, g.hour, g.gateway_id, g.operator, g.sender_id,
    g.messages, g.accepted, g.refused, g.unknown, g.delivered, g.undelivered, g.segments, g.cost_paisa,
    coalesce(m.paid_paisa, 0) as paid_paisa, coalesce(m.received_paisa, 0) as received_paisa
  from groups g join counted_for(array(select distinct account_id from groups)) v on v.account_id = g.account_id
  left join money m on m.campaign_id = g.campaign_id and m.hour = g.hour and m.gateway_id = g.gateway_id and m.operator = g.operator and m.viewer_id = v.viewer_id
)
  insert into sms_count as k (slice, account_id, kind, at, key, gateway_id, operator,
    messages, accepted, refused, unknown, delivered, undelivered, segments, cost_paisa, paid_paisa, received_paisa)
  select slice, viewer_id, kind, at, key, way, network,
    sum(messages) as messages, sum(accepted) as accepted, sum(refused) as refused, sum(unknown) as unknown, sum(delivered) as delivered,
    sum(undelivered) as undelivered, sum(segments) as segments, sum(cost_paisa) as cost_paisa, sum(paid_paisa) as paid_paisa,
    sum(received_paisa) as received_paisa
  from (
    select s.*, 'hour'::count_slice as slice, 'all'::count_kind as kind, hour as at, 0::bigint as key, gateway_id as way, operator as network from seen s
    union all select s.*, 'day', w.kind, hour / 24, w.key, 0, 0 from seen s, lateral (values ('all'::count_kind, 0::bigint), ('customer', child_id), ('campaign', campaign_id),
      ('operator', operator), ('gateway', gateway_id), ('sender', nullif(sender_id, 0))) w (kind, key) where w.key is not null
  ) every_slice group by 1, 2, 3, 4, 5, 6, 7
  order by 1, 2, 3, 4, 5, 6, 7
  on conflict (slice, account_id, kind, at, key, gateway_id, operator) do update set
    messages = k.messages + excluded.messages, accepted = k.accepted + excluded.accepted, refused = k.refused + excluded.refused,
    unknown = k.unknown + excluded.unknown, delivered = k.delivered + excluded.delivered, undelivered = k.undelivered + excluded.undelivered,
    segments = k.segments + excluded.segments, cost_paisa = k.cost_paisa + excluded.cost_paisa, paid_paisa = k.paid_paisa + excluded.paid_paisa,
    received_paisa = k.received_paisa + excluded.received_paisa;
end $$;

-- As follow_attempts(). A receipt of a message that is still open, as an unknown one may be for long, is put back until the message came to its end.
create function follow_messages(wanted int) returns int language plpgsql as $$
declare taken int; filled_from bigint := 0; sent bigint[]; ok bigint[]; bad bigint[];
begin
  if not pg_try_advisory_xact_lock(hashtext('sms_count')) then return 0; end if;
  select below into filled_from from sms_count_fill;
  with gone as (
    delete from sms_news where no = any (array(select no from sms_news order by no limit wanted)) returning what, ids
  ), named as materialized (
    select what, id from gone, unnest(ids) id where id >= coalesce(filled_from, 0)
  ), early as materialized (
    select n.what, n.id from named n where n.what <> 'sent' and exists (select from sms_open o where o.id = n.id)
  ), put_back as (
    insert into sms_news (what, ids) select what, array_agg(id) from early group by what
  )
  select (select count(*) from gone) - (select count(distinct what) from early), array_agg(id) filter (where what = 'sent'),
    array_agg(id) filter (where what = 'delivered' and id not in (select id from early)), array_agg(id) filter (where what = 'undelivered' and id not in (select id from early))
    into taken, sent, ok, bad from named;
  if num_nonnulls(sent, ok, bad) > 0 then perform count_messages(coalesce(sent, '{}'), coalesce(ok, '{}'), coalesce(bad, '{}')); end if;
  return greatest(0, coalesce(taken, 0));
end $$;

-- As fill_call_counts().
create function fill_sms_counts(wanted int) returns int language plpgsql as $$
declare hi bigint; lo bigint; looked int; sent bigint[]; ok bigint[]; bad bigint[];
begin
  if not pg_try_advisory_xact_lock(hashtext('sms_count')) then return 0; end if;
  select below into hi from sms_count_fill;
  if hi is null then return 0; end if;
  with part as materialized (select id, campaign_id, no, result from sms_sent where id < hi order by id desc limit wanted), waiting as materialized (
    select what, unnest(ids) as id from sms_news
  ), states as (
    select p.id, m.state, exists (select from waiting w where w.id = p.id and w.what = 'sent') as sent_waits, exists (select from waiting w where w.id = p.id and w.what <> 'sent') as receipt_waits
    from part p left join sms_message m on m.campaign_id = p.campaign_id and m.no = p.no and m.sms_id = p.id and p.result <> 'refused'
  )
  select min(id), count(*), array_agg(id) filter (where not sent_waits), array_agg(id) filter (where state = 'delivered' and not receipt_waits),
    array_agg(id) filter (where state in ('failed', 'expired') and not receipt_waits) into lo, looked, sent, ok, bad from states;
  if looked = 0 then
    delete from sms_count_fill;
    return 0;
  end if;
  perform count_messages(coalesce(sent, '{}'), coalesce(ok, '{}'), coalesce(bad, '{}'));
  update sms_count_fill set below = lo;
  return looked;
end $$;
