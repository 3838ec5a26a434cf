-- Messages that programs send one by one. They are messages of a feed: one campaign for an account,
-- a sender ID and one of Nepal's days, which runs from the first of them until the day is over.
alter table sms_campaign add column feed date;
create unique index sms_campaign_feed on sms_campaign (account_id, lower(sender), feed)
  where feed is not null;
-- A feed has no contact file.
alter table sms_campaign_detail alter column base_id drop not null;

-- Of a message of a feed: after this moment it is not sent; and it is sent at any hour.
alter table sms_retry
  add column until timestamptz,
  add column is_urgent boolean not null default false;
create index sms_retry_until on sms_retry (campaign_id, until) where until is not null;
create index sms_retry_urgent on sms_retry (campaign_id, operator, due_at, no) where is_urgent;
alter table sms_open
  add column until timestamptz,
  add column is_urgent boolean not null default false;

-- What was sent by a program: the text as it was filled in, and what the program calls it. Without
-- a key: somebody who was logged in sent it. It is the record of the sending too.
create table api_send (
  campaign_id int not null,
  no int not null,
  account_id int not null,
  key_id int,
  at timestamptz not null default now(),
  reference text,
  text text not null,
  primary key (campaign_id, no)
);
create index api_send_reference on api_send (account_id, reference) where reference is not null;

-- A super admin approved the text as urgent: its messages are sent at any hour.
alter table sms_text add column is_urgent boolean not null default false;

-- As it was. What a feed uploaded is what was sent, as after calls it is what came due.
create or replace function sms_write_progress(ids int[]) returns void language plpgsql as $$
begin
  perform
  from sms_campaign_progress
  where campaign_id = any (ids)
  order by campaign_id
  for no key update;
  update sms_campaign_progress p
  set
    pending = k.fresh + k.waiting + k.in_flight,
    fresh = k.fresh,
    waiting = k.waiting,
    in_flight = k.in_flight,
    uploaded = case
      when c.call_campaign_id is null and c.feed is null then c.uploaded
      else k.fresh + k.waiting + k.in_flight + k.submitted + k.delivered + k.failed + k.expired
        + k.unknown + k.dnd + k.unreachable
    end,
    submitted = k.submitted,
    delivered = k.delivered,
    failed = k.failed,
    expired = k.expired,
    unknown = k.unknown,
    dnd = k.dnd,
    unreachable = k.unreachable,
    accepted = k.accepted,
    segments = k.segments,
    cost_paisa = k.cost_paisa,
    next_due_at = (select min(due_at) from sms_retry r where r.campaign_id = c.id),
    changed_at = clock_timestamp()
  from
    sms_campaign c,
    lateral (
      select
        sum(x.fresh)::int fresh,
        sum(x.waiting)::int waiting,
        sum(x.in_flight)::int in_flight,
        sum(x.submitted)::int submitted,
        sum(x.delivered)::int delivered,
        sum(x.failed)::int failed,
        sum(x.expired)::int expired,
        sum(x.unknown)::int unknown,
        sum(x.dnd)::int dnd,
        sum(x.unreachable)::int unreachable,
        sum(x.accepted)::int accepted,
        sum(x.segments)::bigint segments,
        sum(x.cost_paisa)::bigint cost_paisa
      from sms_campaign_count x
      where x.campaign_id = c.id
    ) k
  where c.id = any (ids) and p.campaign_id = c.id and k.fresh is not null;
end
$$;
