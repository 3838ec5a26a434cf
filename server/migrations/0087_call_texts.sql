-- Messages of our own text after a call. They are messages of one SMS campaign that belongs to the campaign of the calls: sent, paid, counted and
-- reported as all others. The transaction that ends a call puts what it brings about into that campaign's queue, with money that the call had reserved.
alter table sms_campaign add call_campaign_id int unique references campaign; -- whose calls its messages follow; null: a campaign of its own

create table call_text (
  campaign_id int not null references campaign, -- of the calls
  no smallint not null check (no between 0 and 15),
  occasion text not null check (occasion in ('success', 'fail', 'dtmf')),
  key text check ((key is not null) = (occasion = 'dtmf')), -- the first valid key of the call
  min_ms int not null default 0, -- with success: answered for so long at least
  text text not null check (length(text) between 1 and 10000), -- with its {column}s
  primary key (campaign_id, no)
);
-- What each row of such a campaign may be sent: how many segments its message of each text has, by the text's no; null: it gets none of that text.
create table call_text_row (
  campaign_id int not null, no int not null, operator smallint not null, segments smallint[] not null, primary key (campaign_id, no)
);

-- The dearest messages that one call may bring about: reserved with each call beside what the call itself may cost.
alter table campaign add message_paisa bigint not null default 0 check (message_paisa >= 0);
alter table attempt_open add message_paisa bigint not null default 0;
-- A message after a call brings its reservation along: it stands in the queue with the row, and returns there when nothing was taken.
alter table sms_retry add held_paisa bigint not null default 0 check (held_paisa >= 0);
create index sms_retry_held on sms_retry (campaign_id) where held_paisa > 0;
alter table sms_open add is_held boolean not null default false;

-- What a campaign uploaded is, where its messages follow calls, what came due.
create or replace function sms_write_progress(ids int[]) returns void language plpgsql as $$
begin
  perform from sms_campaign_progress where campaign_id = any (ids) order by campaign_id for no key update;
  update sms_campaign_progress p set pending = k.fresh + k.waiting + k.in_flight, fresh = k.fresh, waiting = k.waiting, in_flight = k.in_flight,
    uploaded = case when c.call_campaign_id is null then c.uploaded else k.fresh + k.waiting + k.in_flight + k.submitted + k.delivered + k.failed + k.expired + k.unknown + k.dnd + k.unreachable end,
    submitted = k.submitted, delivered = k.delivered, failed = k.failed, expired = k.expired, unknown = k.unknown, dnd = k.dnd, unreachable = k.unreachable,
    accepted = k.accepted, segments = k.segments, cost_paisa = k.cost_paisa, next_due_at = (select min(due_at) from sms_retry r where r.campaign_id = c.id), changed_at = clock_timestamp()
  from sms_campaign c, lateral (
    select sum(x.fresh)::int fresh, sum(x.waiting)::int waiting, sum(x.in_flight)::int in_flight, sum(x.submitted)::int submitted, sum(x.delivered)::int delivered, sum(x.failed)::int failed,
      sum(x.expired)::int expired, sum(x.unknown)::int unknown, sum(x.dnd)::int dnd, sum(x.unreachable)::int unreachable, sum(x.accepted)::int accepted, sum(x.segments)::bigint segments,
      sum(x.cost_paisa)::bigint cost_paisa from sms_campaign_count x where x.campaign_id = c.id) k
  where c.id = any (ids) and p.campaign_id = c.id and k.fresh is not null;
end $$;
