-- Receipts that nobody could read: how many, and the last ten for people to see, shortened and with numbers masked. One row for each gateway.
create table sms_not_understood (
  gateway_id int primary key, receipts bigint not null,
  recent int not null, -- of those since the gateway's counters (sms_gateway_count) were at recent_from; halved when they become old
  recent_from bigint not null,
  alerted bigint not null default 0, -- what `receipts` was when an alert was raised
  samples jsonb not null -- {at, text}, the newest first
) with (fillfactor = 50);

create function note_not_understood(gateway int, how_many int, said text[]) returns void language sql as $$
  insert into sms_not_understood as u (gateway_id, receipts, recent, recent_from, samples)
  select gateway, how_many, how_many,
    coalesce((select greatest(0, c.receipts + c.repeated + c.unmatched - 1000) from sms_gateway_count c where c.gateway_id = gateway), 0),
    coalesce((select jsonb_agg(jsonb_build_object('at', clock_timestamp(), 'text', s.text) order by s.n desc) from unnest(said) with ordinality as s (text, n)), '[]')
  on conflict (gateway_id) do update set receipts = u.receipts + excluded.receipts, recent = u.recent + excluded.recent,
    samples = (select jsonb_agg(s.sample order by s.n) from jsonb_array_elements(excluded.samples || u.samples) with ordinality as s (sample, n) where s.n <= 10)
$$;
