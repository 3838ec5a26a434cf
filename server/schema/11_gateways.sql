-- Gateways for messages, their routes, sender IDs and texts, and what customers wrote.

-- What messages leave through: gateways, what is seen of them, the ways through them, sender IDs
-- and the texts that people keep.
create type sms_driver as enum ('simulator', 'smpp', 'http');

create table sms_gateway (
  id int generated always as identity primary key,
  name text not null check (length(name) between 1 and 100),
  driver sms_driver not null,
  -- as its driver reads them (contract/src/sms-gateways.ts), without secrets
  settings jsonb not null,
  secrets_sealed text, -- the secret ones as JSON, sealed (secrets.ts)
  -- false: nothing is sent through it, and nobody is connected to it
  enabled boolean not null default true,
  -- what becomes of a message without a receipt after 72 h; null: charged when the submit was
  -- answered, released when not
  unknown_charged boolean,
  created_at timestamptz not null default now(),
  -- the settings: who holds its connection opens it anew
  changed_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index sms_gateway_name on sms_gateway (lower(name)) where deleted_at is null;

-- Written by the process that holds its connection, about every second; what is older than a few
-- seconds is no news.
create table sms_gateway_state (
  gateway_id int primary key references sms_gateway,
  bound boolean not null default false,
  window_used int not null default 0, -- submits without an answer yet
  per_second int not null default 0, -- messages of the last second
  waiting int not null default 0, -- messages that are to leave through it and have not
  held_since timestamptz, -- after faults nothing is sent through it but probes
  held_reason text,
  last_error text, -- in words
  last_error_at timestamptz,
  seen_at timestamptz not null default now(),
  -- A gateway that nobody can connect with is down as one is that is held after faults: one alert,
  -- one notice to every super admin.
  down_since timestamptz,
  down_reason text, -- held after faults, or without a connection for a minute
  check ((held_since is null) = (held_reason is null)),
  check ((last_error is null) = (last_error_at is null)),
  check ((down_since is null) = (down_reason is null))
) with (fillfactor = 50);

-- Whoever disables or deletes it knows that nothing leaves through it.
create function sms_gateway_put_away() returns trigger language plpgsql as $$
begin
  update sms_gateway_state
  set down_since = null, down_reason = null
  where gateway_id = new.id and down_since is not null;
  return null;
end
$$;
create trigger sms_gateway_put_away after update of enabled, deleted_at on sms_gateway
  for each row when (not new.enabled or new.deleted_at is not null)
  execute function sms_gateway_put_away();

create table sms_gateway_count (
  gateway_id int primary key,
  receipts bigint not null default 0,
  repeated bigint not null default 0,
  unmatched bigint not null default 0,
  -- What a gateway and each number may send on one of Nepal's days is bounded; what was more is
  -- counted.
  inbox_day date,
  inbox_kept int not null default 0, -- of that day
  inbox_dropped bigint not null default 0
) with (fillfactor = 50);

-- What a super admin asks of a gateway; whoever holds its connection does it once and writes what
-- came of it.
create type sms_gateway_test_kind as enum ('ping', 'message');

create type sms_test_state as enum (
  'waiting',
  'submitted',
  'delivered',
  'failed',
  'expired',
  'unknown'
);

create table sms_gateway_test (
  id int generated always as identity primary key,
  gateway_id int not null references sms_gateway,
  kind sms_gateway_test_kind not null,
  phone bigint check ((phone is not null) = (kind = 'message')),
  sender text check ((sender is not null) = (kind = 'message')),
  text text check ((text is not null) = (kind = 'message')),
  by_user_id int references users,
  asked_at timestamptz not null default now(),
  taken_at timestamptz, -- before a byte leaves: it is never done twice
  state sms_test_state not null default 'waiting', -- a ping that was answered is 'delivered'
  id_keys text[], -- the gateway's ids of its segments, for receipts
  reason text, -- in words
  ended_at timestamptz,
  -- The line of sms_inbox that it answers. The answers to STOP and HELP leave as a super admin's
  -- test messages do: once, by whoever holds the gateway, at nobody's cost.
  inbox_id bigint,
  check (state = 'waiting' or taken_at is not null),
  constraint sms_gateway_test_cause check ((by_user_id is null) = (inbox_id is not null))
);
create index sms_gateway_test_open on sms_gateway_test (gateway_id, id) where taken_at is null;
create index sms_gateway_test_receipt on sms_gateway_test using gin (id_keys)
  where state = 'submitted';
create index sms_gateway_test_answered on sms_gateway_test (phone, asked_at)
  where inbox_id is not null;

-- Receipts that nobody could read: how many, and the last ten for people to see, shortened and with
-- numbers masked. One row for each gateway.
create table sms_not_understood (
  gateway_id int primary key,
  receipts bigint not null,
  -- of those since the gateway's counters (sms_gateway_count) were at recent_from; halved when they
  -- become old
  recent int not null,
  recent_from bigint not null,
  alerted bigint not null default 0, -- what `receipts` was when an alert was raised
  samples jsonb not null -- {at, text}, the newest first
) with (fillfactor = 50);

create function note_not_understood(gateway int, how_many int, said text[])
returns void
language sql as $$
  insert into sms_not_understood as u (gateway_id, receipts, recent, recent_from, samples)
  select
    gateway,
    how_many,
    how_many,
    coalesce(
      (
        select greatest(0, c.receipts + c.repeated + c.unmatched - 1000)
        from sms_gateway_count c
        where c.gateway_id = gateway
      ),
      0
    ),
    coalesce(
      (
        select
          jsonb_agg(jsonb_build_object('at', clock_timestamp(), 'text', s.text) order by s.n desc)
        from unnest(said) with ordinality as s (text, n)
      ),
      '[]'
    )
  on conflict (gateway_id) do update
  set
    receipts = u.receipts + excluded.receipts,
    recent = u.recent + excluded.recent,
    samples = (
      select jsonb_agg(s.sample order by s.n)
      from jsonb_array_elements(excluded.samples || u.samples) with ordinality as s (sample, n)
      where s.n <= 10
    )
$$;

-- One holder a gateway. Gateway 0 is nobody's: who holds it looks after the campaigns (prepares,
-- starts, completes them).
create table sms_lease (
  gateway_id int primary key,
  engine_id text not null,
  epoch bigint not null,
  expires_at timestamptz not null,
  liveness bigint
) with (fillfactor = 50);

-- The way of some operators' messages (contract/src/operators.ts has the codes), of one sender ID
-- or, without, of all others. No two routes have an operator and a sender ID in common: a save
-- locks the table.
create table sms_route (
  id int generated always as identity primary key,
  operators smallint[] not null
    check (cardinality(operators) between 1 and 4 and operators <@ '{0,1,2,3}'::smallint[]),
  sender text check (length(sender) between 1 and 20)
);

-- The gateways of the lowest priority that work share the messages by weight; the next ones take
-- over when none of them does.
create table sms_route_step (
  route_id int not null references sms_route on delete cascade,
  gateway_id int not null references sms_gateway,
  priority smallint not null check (priority between 1 and 10),
  weight smallint not null check (weight between 1 and 100),
  primary key (route_id, gateway_id)
);
create index sms_route_step_gateway on sms_route_step (gateway_id);

-- Sender IDs: asked for by their account, approved for some operators by a super admin.
create type approval as enum ('pending', 'approved', 'rejected');

create table sms_sender (
  id int generated always as identity primary key,
  account_id int not null references users,
  name text not null check (length(name) between 1 and 20), -- 1 to 11 signs of GSM-7, or a number
  status approval not null default 'pending',
  operators smallint[] not null default '{}' check (operators <@ '{0,1,2,3}'::smallint[]),
  reason text, -- why it was rejected
  decided_by int references users,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- how fast an operator takes messages of this sender ID, whichever accounts and gateways they
  -- come from: segments a second; null: as fast as the gateways
  tps int check (tps between 1 and 10000),
  check ((status = 'approved') = (operators <> '{}'))
);
create unique index sms_sender_name on sms_sender (account_id, lower(name))
  where deleted_at is null;
create index sms_sender_account on sms_sender (account_id, id) where deleted_at is null;
create index sms_sender_status on sms_sender (status, id) where deleted_at is null;
create index sms_sender_by_name on sms_sender (lower(name), id) where deleted_at is null;
create index sms_sender_search on sms_sender using gin (lower(name) gin_trgm_ops)
  where deleted_at is null;
create statistics sms_sender_name_stats on lower(name) from sms_sender;

-- Texts that an account keeps. Approved without `decided_by`: nobody had to approve it when it was
-- saved.
create table sms_text (
  id int generated always as identity primary key,
  account_id int not null references users,
  name text not null check (length(name) between 1 and 100),
  text text not null check (length(text) between 1 and 10000),
  status approval not null default 'pending',
  reason text,
  decided_by int references users,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index sms_text_name on sms_text (account_id, lower(name)) where deleted_at is null;
create index sms_text_account on sms_text (account_id, id) where deleted_at is null;
create index sms_text_status on sms_text (status, id) where deleted_at is null;
create index sms_text_by_text on sms_text (account_id, md5(text));
create index sms_text_by_name on sms_text (lower(name), id) where deleted_at is null;
-- Saved texts and sender IDs by any part of their names and words.
create index sms_text_search on sms_text
  using gin (lower(name) gin_trgm_ops, lower(text) gin_trgm_ops)
  where deleted_at is null;
create statistics sms_text_name_stats on lower(name) from sms_text;

-- What people write back: whose it is, what it asks for and what was done about it. Stored once,
-- then looked at once by whoever looks after campaigns.
create type sms_word as enum ('stop', 'start', 'help');

-- kept: it asks for nothing. alreadyOut: the number was on that list before. notOut: nothing of an
-- opt-out was there to take back.
create type sms_inbox_action as enum (
  'waiting',
  'kept',
  'optOut',
  'alreadyOut',
  'optIn',
  'notOut',
  'help'
);

-- What people write back. The gateway hears that it was taken once it stands here; what it sends
-- again has the same key.
create table sms_inbox (
  id bigint generated always as identity primary key,
  gateway_id int not null,
  key text not null, -- of the gateway, the same when it comes again
  from_number text not null,
  to_number text not null,
  text text not null,
  at timestamptz not null,
  received_at timestamptz not null default now(),
  -- one piece of a long message whose other pieces did not come: {reference, number, of}
  part jsonb,
  -- 977 and the national digits; null: it was sent by nobody who can be written to (a short code, a
  -- name, a foreign number)
  phone bigint,
  word sms_word, -- as the settings had it when it came
  action sms_inbox_action not null default 'waiting',
  account_id int, -- whose message the number had last; null: nobody's, or nobody looked yet
  campaign_id int,
  unique (gateway_id, key)
);
create index sms_inbox_waiting on sms_inbox (id) where action = 'waiting';
-- how many a number sent today
create index sms_inbox_from on sms_inbox (from_number, id);
create index sms_inbox_phone on sms_inbox (phone, id);
create index sms_inbox_phone_end on sms_inbox ((phone % 10000), id);
create index sms_inbox_account on sms_inbox (account_id, id);
create index sms_inbox_account_action on sms_inbox (account_id, action, id);
create index sms_inbox_action_id on sms_inbox (action, id);
create index sms_inbox_campaign on sms_inbox (campaign_id, id) where campaign_id is not null;
