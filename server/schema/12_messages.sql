-- Campaigns of messages, and messages. sms/**/*.sql.ts owns their state.

-- What the engine changes; what was composed is in sms_campaign_detail.
create table sms_campaign (
  id int generated always as identity primary key,
  account_id int not null references account,
  status campaign_status not null default 'processing',
  hold_cause hold_cause, -- set with onHold
  reason text, -- of the state, in words for a person
  -- the administrator whose pause only that administrator or one above lifts
  held_by int references users,
  start_at timestamptz not null,
  send_until timestamptz not null,
  sender text not null, -- the sender ID as the telephone shows it
  price_paisa bigint not null check (price_paisa >= 0), -- of one segment at the user's level
  is_retry boolean not null default false, -- retried once
  -- the engine puts failed and expired rows back and clears it; until then the campaign is not
  -- complete
  retry_requested boolean not null default false,
  uploaded int not null default 0,
  -- When its messages were last looked through for those that got no receipt in time.
  receipts_checked_at timestamptz not null default now(),
  -- With lowBalance: what the next message costs that could not be paid.
  need_paisa bigint not null default 0,
  unapproved int not null default 0, -- how many of its rows wait in sms_unapproved
  values_decision approval not null default 'pending', -- the engine carries it out
  values_reason text, -- why they were rejected
  -- Messages of our own text after a call. They are messages of one SMS campaign that belongs to
  -- the campaign of the calls: sent, paid, counted and reported as all others. The transaction that
  -- ends a call puts what it brings about into that campaign's queue, with money that the call had
  -- reserved. Null: a campaign of its own.
  call_campaign_id int unique references campaign,
  -- send_until was chosen by a person when the campaign was composed or changed: no message leaves
  -- after it. False: the platform's last day.
  not_after boolean not null default false,
  check (values_reason is null or values_decision = 'rejected')
) with (fillfactor = 50);
create index sms_campaign_unfinished on sms_campaign (start_at)
  where status not in ('complete', 'cancelled', 'refused', 'failed');
create index sms_campaign_account on sms_campaign (account_id, id);
-- The sidebar and a filter of the list ask which campaigns have rows that wait for an approval: few
-- ever do.
create index sms_campaign_undecided on sms_campaign (id)
  where unapproved > 0
    and values_decision = 'pending'
    and status not in ('complete', 'cancelled', 'refused', 'failed');

create table sms_campaign_detail (
  campaign_id int primary key references sms_campaign,
  name text not null check (length(name) between 1 and 100),
  template smallint not null check (template in (0, 1)), -- 0 same text, 1 personalised
  text text not null check (length(text) between 1 and 10000), -- with its {column}s
  sender_id int, -- of sms_sender
  base_id int not null references base,
  composed jsonb not null, -- what compose was sent
  created_at timestamptz not null default now(),
  rows_in_file int,
  invalid int,
  duplicate int,
  unreachable int, -- this and the three before: known after preparation
  -- Of a campaign that follows calls: rows that get none of some text, since a column would have
  -- put into it what is not approved. Known after preparation.
  withheld int not null default 0
);
create index sms_campaign_detail_base on sms_campaign_detail (base_id);

-- name_key: lower(name)
create table sms_campaign_name (
  owner_id int not null,
  name_key text not null,
  campaign_id int not null unique,
  primary key (owner_id, name_key)
);

-- The chain, frozen at compose: level 0 the user pays the parent, level 1 that parent pays the
-- next, ... the last one pays revenue.
create table sms_campaign_level (
  campaign_id int not null,
  level smallint not null,
  payer_id int not null,
  payee_id int not null,
  segment_paisa bigint not null check (segment_paisa >= 0),
  primary key (campaign_id, level)
);

-- Sums over the slots: uploaded = fresh + waiting + in_flight + submitted + delivered + failed +
-- expired + unknown + dnd + unreachable at every commit.
create table sms_campaign_count (
  campaign_id int not null,
  slot smallint not null,
  fresh int not null default 0,
  waiting int not null default 0,
  in_flight int not null default 0,
  submitted int not null default 0, -- accepted, and no receipt yet
  delivered int not null default 0,
  failed int not null default 0,
  expired int not null default 0,
  unknown int not null default 0,
  dnd int not null default 0,
  unreachable int not null default 0,
  -- messages that a gateway accepted, whatever became of them: no state, a sum
  accepted int not null default 0,
  segments bigint not null default 0, -- that were paid for
  cost_paisa bigint not null default 0,
  primary key (campaign_id, slot)
) with (fillfactor = 50);

-- One summed row per campaign for screens; written by the engine while a campaign changes.
create table sms_campaign_progress (
  campaign_id int primary key references sms_campaign,
  account_id int not null,
  name text not null,
  template smallint not null,
  sender text not null,
  status campaign_status not null,
  reason text,
  start_at timestamptz not null,
  uploaded int not null default 0,
  pending int not null default 0, -- fresh, waiting or in flight
  fresh int not null default 0,
  waiting int not null default 0,
  in_flight int not null default 0,
  submitted int not null default 0,
  delivered int not null default 0,
  failed int not null default 0,
  expired int not null default 0,
  unknown int not null default 0,
  dnd int not null default 0,
  unreachable int not null default 0,
  accepted int not null default 0,
  segments bigint not null default 0,
  cost_paisa bigint not null default 0,
  next_due_at timestamptz, -- of the first row that waits
  stored_rows int not null default 0, -- its rows, and the refused lines that are its own
  stored_bytes bigint not null default 0, -- of its rows' columns
  changed_at timestamptz not null default now(),
  finished_at timestamptz,
  -- numbers that asked for no more messages after one of this campaign
  opted_out int not null default 0
) with (fillfactor = 70);
create index sms_campaign_progress_account on sms_campaign_progress (account_id, campaign_id);
create index sms_campaign_progress_start on sms_campaign_progress
  (account_id, start_at, campaign_id);
create index sms_campaign_progress_status on sms_campaign_progress
  (account_id, status, campaign_id);
create index sms_campaign_progress_all_status on sms_campaign_progress (status, campaign_id);
-- what the event streams read
create index sms_campaign_progress_changed on sms_campaign_progress (changed_at);
create index sms_campaign_progress_finished on sms_campaign_progress (finished_at);
create index sms_campaign_progress_name_search on sms_campaign_progress
  using gin (lower(name) gin_trgm_ops);
create index sms_campaign_progress_submitted on sms_campaign_progress (campaign_id)
  where submitted > 0;
-- Lists sort by these too.
create index sms_campaign_progress_name on sms_campaign_progress
  (account_id, lower(name), campaign_id);
create index sms_campaign_progress_accepted on sms_campaign_progress
  (account_id, accepted, campaign_id);
create index sms_campaign_progress_all_start on sms_campaign_progress (start_at, campaign_id);
create index sms_campaign_progress_all_accepted on sms_campaign_progress (accepted, campaign_id);
create index sms_campaign_progress_all_name on sms_campaign_progress
  (lower(name), campaign_id) include (name, account_id);

-- One summed row per campaign for the screens. Several gateways' engines write it: the row is
-- locked first, and each statement of a function sees what was committed until it begins, so that
-- no older sum is written over a newer one. What a campaign uploaded is, where its messages follow
-- calls, what came due.
create function sms_write_progress(ids int[]) returns void language plpgsql as $$
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
      when c.call_campaign_id is null then c.uploaded
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

create table sms_campaign_event (
  id bigint generated always as identity primary key,
  campaign_id int not null references sms_campaign,
  at timestamptz not null default now(),
  from_status campaign_status not null,
  to_status campaign_status not null,
  reason text,
  by_user_id int
);
create index sms_campaign_event_campaign on sms_campaign_event (campaign_id, id);
revoke update, delete on sms_campaign_event from ghanti_app;

-- Every change of status, and of who or what holds it, leaves a line; whoever makes it says so by
-- set_config('ghanti.user_id', ..., true).
create function sms_campaign_status_changed() returns trigger language plpgsql as $$
begin
  insert into sms_campaign_event (campaign_id, from_status, to_status, reason, by_user_id)
  values
    (
      new.id,
      old.status,
      new.status,
      new.reason,
      nullif(current_setting('ghanti.user_id', true), '')::int
    );
  update sms_campaign_progress
  set
    status = new.status,
    reason = new.reason,
    changed_at = clock_timestamp(),
    finished_at = case
      when new.status in ('complete', 'cancelled', 'refused', 'failed') then clock_timestamp()
    end
  where campaign_id = new.id;
  return null;
end
$$;
create trigger sms_campaign_status_changed
  after update of status, hold_cause, held_by on sms_campaign
  for each row when (
    old.status <> new.status
    or new.status = 'onHold'
      and (old.hold_cause, old.held_by) is distinct from (new.hold_cause, new.held_by)
  )
  execute function sms_campaign_status_changed();

-- SMS campaigns, their messages and the money of messages. sms/**/*.sql.ts owns the state of
-- messages; the idea is at the top of claim.sql.ts. Invariants, which the judge asks: reserved
-- money = what open messages reserve · a message leaves for a gateway at most once for each line of
-- sms_open · uploaded = the sum of a campaign's counters = its rows, state by state · a level pays
-- at most what the level below it paid.
create type sms_state as enum (
  'fresh',
  'waiting',
  'submitted',
  'delivered',
  'failed',
  'expired',
  'unknown',
  'dnd',
  'unreachable'
);

-- One row of one campaign. What is in flight stands in sms_open alone; the state is what the row
-- was before and will be afterwards. A batch updates whole pages in one transaction: both versions
-- of each row must fit.
create table sms_message (
  campaign_id int not null,
  no int not null,
  line int not null, -- line: in the file
  phone bigint not null,
  operator smallint not null, -- 1 ntc, 2 ncell, 3 smart, 0 other
  segments smallint not null check (segments > 0),
  state sms_state not null default 'fresh',
  faults smallint not null default 0, -- how often a gateway was at fault
  parts_left smallint not null default 0, -- accepted segments without a final receipt
  parts_bad smallint not null default 0, -- accepted segments that failed or expired
  gateway_id int,
  submitted_at timestamptz,
  final_at timestamptz,
  sms_id bigint, -- of the last submission; final_at: of delivered, failed, expired
  reason text, -- of failed, expired, unknown, in words for a person
  primary key (campaign_id, no)
) with (fillfactor = 50);
-- A report is searched for a number. The phone of a row never changes, so that updates stay in
-- their page.
create index sms_message_phone on sms_message (campaign_id, phone);
-- A report is searched for the last digits of a number too. The phone of a row never changes, so
-- that updates stay in their page.
create index sms_message_phone_end on sms_message (campaign_id, (phone % 10000));

create table sms_value (
  campaign_id int not null,
  no int not null,
  vars jsonb not null,
  primary key (campaign_id, no)
);

create table sms_refused (
  campaign_id int not null,
  line int not null,
  text text not null,
  reason text not null,
  primary key (campaign_id, line)
);

-- Where texts have to be approved, it is the text that is: a row whose columns put more into it
-- than names and figures waits here for a super admin, who decides on all of a campaign's. Such
-- rows are none of the campaign's messages, and in none of its counters, until they are let in.
create table sms_unapproved (
  campaign_id int not null,
  line int not null, -- line: in the file
  phone bigint not null,
  operator smallint not null,
  segments smallint not null check (segments > 0),
  vars jsonb not null,
  reason text not null, -- which column, and why
  primary key (campaign_id, line)
);

-- Rows are numbered by operator when they are prepared: the fresh ones of each are a range of
-- numbers, and a cursor runs through it.
create table sms_stream (
  campaign_id int not null,
  operator smallint not null,
  fresh_next int not null,
  fresh_end int not null,
  primary key (campaign_id, operator),
  check (fresh_next <= fresh_end)
) with (fillfactor = 50);

create table sms_retry (
  campaign_id int not null,
  operator smallint not null,
  due_at timestamptz not null,
  no int not null,
  put_off int, -- for its number's sake: n, it had n messages that day
  -- A message after a call brings its reservation along: it stands in the queue with the row, and
  -- returns there when nothing was taken.
  held_paisa bigint not null default 0 check (held_paisa >= 0),
  primary key (campaign_id, operator, due_at, no)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create index sms_retry_held on sms_retry (campaign_id) where held_paisa > 0;

-- Written with the reservation before the first byte leaves. A line whose answer is lost stays,
-- with its money, until a receipt or 72 h.
create table sms_open (
  id bigint generated always as identity primary key,
  gateway_id int not null,
  epoch bigint not null,
  campaign_id int not null,
  no int not null,
  account_id int not null,
  phone bigint not null,
  operator smallint not null,
  segments smallint not null,
  reserved_paisa bigint not null,
  from_state sms_state not null,
  claimed_at timestamptz not null default clock_timestamp(),
  day date not null, -- Nepal's, for which the number was counted
  unknown_at timestamptz, -- the answer is lost since then; null: in flight
  answered boolean not null default false, -- of an unknown one: some answer came
  -- of an unknown one: segments that were accepted for certain
  accepted smallint not null default 0,
  proven_at timestamptz, -- of an unknown one: a receipt came
  is_held boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create index sms_open_unknown on sms_open (unknown_at) where unknown_at is not null;
-- Whose message reached a number last, of those without an outcome yet.
create index sms_open_phone on sms_open (phone);

-- How a submission ended: accepted, whole or in part, by the gateway; refused; its answer lost; or
-- given back, no byte of it having left.
create type sms_result as enum ('accepted', 'refused', 'unknown');

-- The history: a line for each submission that came to an end, inserted once and never changed.
create table sms_sent (
  id bigint primary key,
  batch_id bigint, -- the transfers of this batch paid for it
  claimed_at timestamptz not null,
  settled_at timestamptz not null default now(),
  campaign_id int not null,
  no int not null,
  account_id int not null,
  gateway_id int not null,
  phone bigint not null,
  operator smallint not null,
  result sms_result not null,
  segments smallint not null,
  accepted smallint not null, -- segments in all, and those that were paid for
  cost_paisa bigint not null, -- of the user
  code text,
  reason text,
  check (accepted between 0 and segments)
) partition by range (id);
create index on sms_sent (campaign_id, id);
create index on sms_sent (account_id, id);
create index on sms_sent (phone, id);
revoke update, delete on sms_sent from ghanti_app;
select make_partitions('sms_sent', 0, 10000000, 2);

create type sms_receipt_state as enum ('delivered', 'failed', 'expired');

-- A segment that a gateway accepted, by the id that the gateway gave it: what receipts are matched
-- by. A number used again is the newer one's.
create table sms_segment_id (
  gateway_id int not null,
  id_key text not null,
  sms_id bigint not null,
  campaign_id int not null,
  no int not null,
  state sms_receipt_state, -- null: no final receipt yet
  at timestamptz not null default now(),
  primary key (gateway_id, id_key)
) with (fillfactor = 70);
create index sms_segment_id_at on sms_segment_id using brin (at);

-- Receipts whose segment is not known (yet): they came before their answer, by callback, or are
-- nobody's.
create table sms_receipt_early (
  gateway_id int not null,
  id_key text not null,
  state sms_receipt_state not null,
  reason text,
  at timestamptz,
  received_at timestamptz not null default now(),
  primary key (gateway_id, id_key)
);

-- How many messages a number had of an account on one of Nepal's days. Old days are overwritten, or
-- removed by and by.
create table sms_number_day (
  phone bigint not null,
  account_id int not null,
  day date not null,
  sent int not null,
  primary key (phone, account_id)
) with (fillfactor = 70);

create table sms_campaign_archived (
  campaign_id int primary key references sms_campaign,
  at timestamptz not null default now()
);

create table sms_campaign_deleted (
  campaign_id int primary key references sms_campaign,
  asked_at timestamptz not null,
  by_user_id int not null,
  attempts_to bigint not null default 0, -- messages sent, here
  rows_done bigint not null default 0,
  done_at timestamptz
);
create index sms_campaign_deleted_waits on sms_campaign_deleted (campaign_id) where done_at is null;
revoke delete on sms_campaign_deleted from ghanti_app;

-- A file that was uploaded and has no name yet: kept for an hour.
create table sms_staged_file (
  name uuid primary key default gen_random_uuid(), -- what the uploader names it by
  owner_id int not null references users,
  file_hash text not null,
  size_bytes int not null,
  declared_type text not null,
  created_at timestamptz not null
);
create index sms_staged_file_owner on sms_staged_file (owner_id, created_at);
create index sms_staged_file_hash on sms_staged_file (file_hash);
create index sms_staged_file_old on sms_staged_file (created_at);
