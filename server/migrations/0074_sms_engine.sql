-- 'Stop all' stops calls, messages or both; a gateway sends messages alone, dialers and trunks carry calls alone.
alter table dial_block add what text not null default 'calls' check (what in ('calls', 'messages', 'all'));
alter table dial_block drop constraint dial_block_kind_check;
alter table dial_block
  add constraint dial_block_kind_check check (kind in ('platform', 'dialer', 'trunk', 'account', 'gateway')),
  add check (kind in ('platform', 'account') or what = case kind when 'gateway' then 'messages' else 'calls' end);
drop index dial_block_open;
create unique index dial_block_open on dial_block (kind, coalesce(target_id, 0), what) where lifted_at is null;
-- When its messages were last looked through for those that got no receipt in time.
alter table sms_campaign add receipts_checked_at timestamptz not null default now();
create index sms_campaign_progress_submitted on sms_campaign_progress (campaign_id) where submitted > 0;
-- With lowBalance: what the next message costs that could not be paid.
alter table sms_campaign add need_paisa bigint not null default 0;

-- One summed row per campaign for the screens. Several gateways' engines write it: the row is locked first, and each statement of a function sees
-- what was committed until it begins, so that no older sum is written over a newer one.
create function sms_write_progress(ids int[]) returns void language plpgsql as $$
begin
  perform from sms_campaign_progress where campaign_id = any (ids) order by campaign_id for no key update;
  update sms_campaign_progress p set uploaded = c.uploaded, pending = k.fresh + k.waiting + k.in_flight, fresh = k.fresh, waiting = k.waiting, in_flight = k.in_flight,
    submitted = k.submitted, delivered = k.delivered, failed = k.failed, expired = k.expired, unknown = k.unknown, dnd = k.dnd, unreachable = k.unreachable,
    accepted = k.accepted, segments = k.segments, cost_paisa = k.cost_paisa, next_due_at = (select min(due_at) from sms_retry r where r.campaign_id = c.id), changed_at = clock_timestamp()
  from sms_campaign c, lateral (
    select sum(x.fresh)::int fresh, sum(x.waiting)::int waiting, sum(x.in_flight)::int in_flight, sum(x.submitted)::int submitted, sum(x.delivered)::int delivered, sum(x.failed)::int failed,
      sum(x.expired)::int expired, sum(x.unknown)::int unknown, sum(x.dnd)::int dnd, sum(x.unreachable)::int unreachable, sum(x.accepted)::int accepted, sum(x.segments)::bigint segments,
      sum(x.cost_paisa)::bigint cost_paisa from sms_campaign_count x where x.campaign_id = c.id) k
  where c.id = any (ids) and p.campaign_id = c.id and k.fresh is not null;
end $$;

-- What people write back. The gateway hears that it was taken once it stands here; what it sends again has the same key.
create table sms_inbox (
  id bigint generated always as identity primary key,
  gateway_id int not null, key text not null, -- of the gateway, the same when it comes again
  from_number text not null, to_number text not null, text text not null,
  at timestamptz not null, received_at timestamptz not null default now(),
  part jsonb, -- one piece of a long message whose other pieces did not come: {reference, number, of}
  unique (gateway_id, key)
);
