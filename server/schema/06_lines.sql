-- Dialers, trunks, contracts of operators, caller IDs, routes.

-- Engines that live, so that the dialers are spread over them (docs/adr/54). liveness: the number
-- of the advisory lock that an engine holds while it lives, new at each start;
-- dialer_lease.liveness names it. since: for how long it has lived without a gap. wants: the dialer
-- that it would like to get from another engine. leaving: it was told to end. Nothing here outlives
-- a crash of the database: each engine writes its row again within two seconds.
create unlogged table engine (
  liveness bigint primary key,
  engine_id text not null,
  name text not null,
  weight int not null check (weight between 1 and 100),
  drivers text[] not null,
  since timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  wants int,
  leaving boolean not null
) with (fillfactor = 50);

create table dialer (
  id int generated always as identity primary key,
  name text not null check (length(name) between 1 and 100),
  driver text not null check (driver in ('simulator', 'asterisk')),
  host text not null,
  port int not null check (port between 1 and 65535),
  cps int not null default 10 check (cps > 0),
  channels int not null default 100 check (channels > 0),
  cps_reduction int check (cps_reduction >= 0),
  channel_reduction int check (channel_reduction >= 0),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- How it is reached. Secrets are sealed (secrets.ts).
  ari_user text check (length(ari_user) between 1 and 100),
  ari_secret_sealed text,
  -- SHA-256 of its certificate: set, it is spoken to over TLS and to nobody else
  tls_fingerprint text check (tls_fingerprint ~ '^[0-9a-f]{64}$'),
  media_folder text check (media_folder like '/%'), -- where the dialer finds the prompts' folder
  media_url text check (media_url ~ '^https?://'), -- or where it fetches them
  -- A dialer that was given up: its calls end as LOST at once, and none begins until it answers
  -- again, which clears both. Null: it was not.
  given_up_at timestamptz,
  given_up_reason text,
  check (ari_secret_sealed is null or ari_user is not null),
  check (media_folder is null or media_url is null),
  constraint dialer_given_up check ((given_up_at is null) = (given_up_reason is null))
);
create unique index dialer_name on dialer (lower(name)) where deleted_at is null;

-- Times are compared in the database, never by a process's clock. Each takeover raises the epoch.
create table dialer_lease (
  dialer_id int primary key references dialer,
  engine_id text not null,
  epoch bigint not null,
  expires_at timestamptz not null,
  -- The advisory lock that the holder's engine keeps while it lives; null: a lease from before
  -- there was one, or taken by hand.
  liveness bigint,
  -- The lowest caps of a number's day for whose sake rows of a dialer's campaigns may wait for
  -- tomorrow: where caps are higher, rows are brought back, whichever engine sees it. Null: not
  -- known, so all are looked at again.
  put_off_caps jsonb,
  next_liveness bigint -- For whom the last holder released the lease; null: for anybody.
) with (fillfactor = 50);

-- Written by the engine that holds the dialer's lease, about every second; what is older than a few
-- seconds is no news.
create table dialer_state (
  dialer_id int primary key references dialer,
  reachable boolean not null,
  reason text, -- why it is not
  since timestamptz not null, -- when that began
  calls int not null,
  channels int not null, -- taken by calls' legs
  begun int not null, -- calls of the last second
  last_failure text,
  last_failure_at timestamptz,
  seen_at timestamptz not null default now(),
  -- How far away a dialer is: a request's way there and back, at its best of the last minute; null:
  -- not measured, or it is simulated.
  round_trip_ms int check (round_trip_ms >= 0),
  -- It answers again, and its calls are being compared with what lives there: it is neither gone
  -- nor back.
  comes_back boolean not null default false,
  -- Channels that calls leave to agents (docs/adr/69, docs/adr/72): other dialers of a route see by
  -- it whether a call could begin there. contract_kept: of what the trunk's contract grants its
  -- dialer.
  kept int not null default 0,
  check (reachable = (reason is null)),
  check ((last_failure is null) = (last_failure_at is null))
) with (fillfactor = 50);

-- What an operator sold as one: so many calls at once and so many new calls a second, over trunks
-- of any dialers (docs/adr/59). A trunk without one has its own limits alone. changed_at: since
-- when all calls over its trunks keep to it; a call that began before a trunk belonged to it, or
-- before it was cut, goes on.
create table operator_contract (
  id int generated always as identity primary key,
  name text not null check (length(name) between 1 and 100),
  channels int not null check (channels > 0),
  cps int not null check (cps > 0),
  changed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index operator_contract_name on operator_contract (lower(name))
  where deleted_at is null;

create type sip_transport as enum ('udp', 'tcp', 'tls');

-- How a caller ID is written to the operator: 015970001, 97715970001, +97715970001, or as it was
-- entered.
create type cli_format as enum ('national', 'e164', 'plus', 'asIs');

-- Which header tells an operator the caller ID. auto: P-Asserted-Identity where From names the
-- trunk's user, else From.
create type cli_header as enum ('auto', 'from', 'asserted', 'both');

create table trunk (
  id int generated always as identity primary key,
  name text not null check (length(name) between 1 and 100),
  pilot_number text not null,
  dialer_id int not null references dialer,
  channels int not null check (channels > 0),
  cps int not null check (cps > 0),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  sip_host text check (length(sip_host) between 1 and 253),
  sip_port int check (sip_port between 1 and 65535), -- null: the transport's own, 5060 or 5061
  sip_transport sip_transport not null default 'udp',
  sip_user text check (length(sip_user) between 1 and 100),
  sip_secret_sealed text,
  codecs text[] not null default '{alaw,ulaw}'
    check (cardinality(codecs) >= 1 and codecs <@ array['alaw', 'ulaw', 'g722', 'gsm']),
  cli_format cli_format not null default 'national',
  -- taken from the front of the called number, which is 977...
  number_strip text not null default '' check (number_strip ~ '^[0-9]{0,15}$'),
  -- and put before what is left
  number_prefix text not null default '' check (number_prefix ~ '^\+?[0-9*#]{0,15}$'),
  registers boolean not null default false,
  cli_header cli_header not null default 'auto',
  -- A telephone that rings when it is called: whether it does says whose fault it is that a
  -- campaign's calls are refused. E.164 without the plus.
  test_number bigint check (test_number between 9770000000 and 9779999999999),
  -- How long a telephone rings, in seconds, until the call counts as not answered: what its
  -- operator bears.
  ring_seconds smallint not null default 45 check (ring_seconds between 5 and 120),
  -- What only some operators ask for of a trunk, as contract/src/sip-options.ts reads it (ADR 38).
  -- What is not in it is as on a plain trunk.
  sip_options jsonb not null default '{}' check (jsonb_typeof(sip_options) = 'object'),
  contract_id int references operator_contract,
  check (sip_secret_sealed is null or sip_user is not null),
  check (not registers or sip_host is not null and sip_user is not null),
  check (cli_header <> 'asserted' or sip_user is not null), -- From must name somebody
  constraint trunk_silent_seconds check ((sip_options ->> 'silentSeconds')::int <= 30)
);
create unique index trunk_name on trunk (lower(name)) where deleted_at is null;
create index trunk_dialer on trunk (dialer_id);
create index trunk_contract on trunk (contract_id) where contract_id is not null;

-- What the engine knows of a trunk: held after faults, with the cause in words; one probe call
-- lifts it.
create table trunk_health (
  trunk_id int primary key references trunk,
  held_since timestamptz,
  hold_reason text,
  held_for_refusals boolean not null default false,
  probes int not null default 0,
  next_probe_at timestamptz,
  last_fault text,
  last_fault_at timestamptz,
  -- As the trunk and its dialer were set when the hold began: whoever takes the dialer over sees
  -- whether somebody mended it meanwhile.
  settings text
);

create type registration as enum ('registered', 'unregistered', 'rejected');

create table trunk_state (
  trunk_id int primary key references trunk,
  reachable boolean, -- null: nobody knows, or its dialer is out of reach
  registered registration, -- null: it does not register, or nobody knows
  calls int not null,
  channels int not null,
  begun int not null,
  -- its last calls, the newest last: 1 answered, 0 not
  recent text not null default '' check (recent ~ '^[01]{0,100}$'),
  last_failure text,
  last_failure_at timestamptz,
  seen_at timestamptz not null default now(),
  -- Why no call can go over a trunk as it is set (its transport, its host's name, a setting that
  -- its dialer refuses); null: nothing is known against it.
  unusable text,
  -- how many calls a second its operator takes at the moment, where that is fewer than the contract
  -- has; null: all that are asked for.
  takes_cps real check (takes_cps > 0),
  kept int not null default 0,
  contract_kept int not null default 0,
  check ((last_failure is null) = (last_failure_at is null))
) with (fillfactor = 50);

create type disposition as enum (
  'ANSWER',
  'NO ANSWER',
  'BUSY',
  'CONGESTION',
  'FAILED',
  'CANCEL',
  'INVALID',
  'REJECTED',
  'LOST'
);

-- A trunk's own rows of the disposition table; they go before the table that is in code
-- (docs/design.md).
create type trunk_sign as enum ('good', 'congested', 'fault', 'broken', 'refusal');

create table trunk_disposition (
  id int generated always as identity primary key,
  trunk_id int not null references trunk,
  sip_status smallint,
  q850_cause smallint,
  disposition disposition not null,
  sign trunk_sign not null,
  check (sip_status between 300 and 699),
  check (q850_cause between 1 and 127),
  -- A row of a trunk's own may name a status and a cause together: then a refusal must have both.
  -- Of each pair, as of each code alone, one row holds.
  constraint trunk_disposition_codes_check check (num_nonnulls(sip_status, q850_cause) > 0),
  constraint trunk_disposition_codes_key unique nulls not distinct (
    trunk_id, sip_status, q850_cause
  )
);
create index trunk_disposition_trunk on trunk_disposition (trunk_id);

-- What calls over a trunk say of its sound and its keys, by Nepal's hour since 1970 (nepal_minute /
-- 60). The engine that holds the trunk's dialer adds to it every ten seconds, so that nobody reads
-- calls for it. Sampled: as in rtp_count.
create table trunk_symptom (
  trunk_id int not null references trunk,
  at int not null,
  answered int not null,
  short int not null, -- short: the far end hung up within three seconds
  asked int not null,
  keyed int not null, -- a menu was heard, and no key or some key came
  sampled int not null,
  one_way int not null,
  dead int not null, -- sound passed one way only, or not at all
  described int not null,
  contradicted int not null, -- SDP of calls whose SIP messages were read
  contradiction text, -- the last one, as a sentence
  primary key (trunk_id, at)
);

-- What a super admin asks of a trunk; whoever holds its dialer's lease does it once and writes what
-- came of it.
create type trunk_test_kind as enum ('ping', 'call');

create table trunk_test (
  id int generated always as identity primary key,
  trunk_id int not null references trunk,
  dialer_id int not null references dialer, -- at the time
  kind trunk_test_kind not null,
  phone bigint check ((phone is not null) = (kind = 'call')),
  cli text check ((cli is not null) = (kind = 'call')),
  by_user_id int references users,
  asked_at timestamptz not null default now(),
  taken_at timestamptz, -- before it rings: it is never done twice
  progress text, -- what can be said so far
  passed boolean,
  result text, -- in words
  ended_at timestamptz,
  check ((ended_at is null) = (result is null)),
  check ((ended_at is null) = (passed is null))
);
create index trunk_test_open on trunk_test (dialer_id, id) where ended_at is null;
-- When the engine itself called a test number last, and how often today: it asks before each such
-- call.
create index trunk_test_own on trunk_test (phone, taken_at) where by_user_id is null;

-- Loss and jitter of sampled calls, by Nepal's hour since 1970 (nepal_minute / 60). received: what
-- came in, as the dialer measured it; sent: as the far end reported it (RTCP), where it did.
create table rtp_count (
  trunk_id int not null references trunk,
  operator smallint not null,
  at int not null,
  calls int not null,
  received bigint not null,
  received_lost bigint not null,
  received_jitter_us bigint not null,
  reported_calls int not null,
  sent bigint not null,
  sent_lost bigint not null,
  sent_jitter_us bigint not null,
  primary key (trunk_id, at, operator)
);

-- A route: trunks of one dialer over which calls of its caller IDs may go. Those of the lowest
-- priority carry the calls, shared by weight; the next ones take over where none of these carries
-- calls or has room.
create table call_route (
  id int generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default now()
);
create unique index call_route_name on call_route (lower(name));

create table call_route_step (
  route_id int not null references call_route on delete cascade,
  trunk_id int not null references trunk,
  priority smallint not null check (priority between 1 and 10),
  weight smallint not null check (weight between 1 and 100),
  -- What a minute over the trunk costs, in paisa: of the trunks of one order, the cheapest carries
  -- the calls (docs/adr/52).
  cost_paisa int not null default 0 check (cost_paisa between 0 and 10000),
  -- The operators whose numbers go over its trunk (docs/adr/51; contract/src/operators.ts has the
  -- codes). Null: those of all.
  operators smallint[] check (cardinality(operators) between 1 and 4),
  primary key (route_id, trunk_id)
);
create index call_route_step_trunk on call_route_step (trunk_id);

create table cli (
  id int generated always as identity primary key,
  number text not null, -- as it is shown to the callee: national digits
  trunk_id int references trunk, -- null: inactive
  channels int not null default 30 check (channels > 0),
  pool text not null default 'dedicated' check (pool in ('dedicated', 'shared')),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- Null: calls go over the caller ID's trunk alone. The trunk of a caller ID is always one of its
  -- route.
  route_id int references call_route,
  -- Caller ID groups (docs/adr/60). A group is a row of cli like a caller ID: it has a trunk or a
  -- route, is given to accounts, and is chosen for campaigns. `number` is its name, `channels`
  -- means nothing. Its calls show its members.
  is_group boolean not null default false,
  constraint cli_route_step foreign key (route_id, trunk_id)
    references call_route_step (route_id, trunk_id)
);
create unique index cli_number on cli (number) where deleted_at is null;
create index cli_trunk on cli (trunk_id);
-- Caller IDs are listed, searched by their beginning and end, allocated and taken back.
create index cli_number_begins on cli (number text_pattern_ops) where deleted_at is null;
create index cli_number_ends on cli (reverse(number) text_pattern_ops) where deleted_at is null;
create index cli_channels on cli (channels, id) where deleted_at is null;
create index cli_route on cli (route_id) where route_id is not null;

create table cli_holder (
  cli_id int not null references cli,
  account_id int not null references users,
  given_by int not null references users,
  at timestamptz not null default now(),
  id int generated always as identity, -- Every change of a CLI's holders locks the CLI's row first.
  primary key (cli_id, account_id)
);
create unique index cli_holder_id on cli_holder (id);
create index cli_holder_account_cli on cli_holder (account_id, cli_id);

create table cli_member (
  group_id int not null references cli,
  cli_id int not null references cli,
  weight smallint not null default 1 check (weight between 1 and 100),
  primary key (group_id, cli_id),
  check (group_id <> cli_id)
);
create index cli_member_cli on cli_member (cli_id);

-- Which caller ID each called number sees: the one with the best score of all that have room left,
-- which is taken from it. The score is a rendezvous hash of the pair by weight, so a number sees
-- the same one again without anything being stored, and a member that comes or goes moves only its
-- own share. Null: none has room.
create function chosen_clis(phones bigint[], clis int[], weights int[], room int[]) returns int[]
  language plpgsql immutable parallel safe as $$
declare
  phone bigint;
  best int;
  chosen int[] := '{}';
begin
  foreach phone in array phones loop
    select i
    into best
    from generate_subscripts(clis, 1) i
    where room[i] > 0
    order by
      -ln(
        ((hashint8extended(phone, clis[i]) & 4503599627370495) + 0.5::float8) / 4503599627370496
      ) / weights[i],
      i
    limit 1;
    if best is not null then
      room[best] := room[best] - 1;
    end if;
    chosen := chosen || clis[best];
  end loop;
  return chosen;
end
$$;

-- 'Stop all dialling': blocks claims, leaves statuses alone.
create table dial_block (
  id int generated always as identity primary key,
  kind text not null,
  target_id int check ((kind = 'platform') = (target_id is null)),
  reason text not null,
  by_user_id int not null references users,
  at timestamptz not null default now(),
  lifted_at timestamptz,
  lifted_by int references users,
  -- 'Stop all' stops calls, messages or both; a gateway sends messages alone, dialers and trunks
  -- carry calls alone.
  what text not null default 'calls' check (what in ('calls', 'messages', 'all')),
  constraint dial_block_kind_check
    check (kind in ('platform', 'dialer', 'trunk', 'account', 'gateway')),
  check (
    kind in ('platform', 'account')
    or what = case kind when 'gateway' then 'messages' else 'calls' end
  )
);
create unique index dial_block_open on dial_block (kind, coalesce(target_id, 0), what)
  where lifted_at is null;
