-- How a dialer is reached, what a trunk is to its operator, and what was last seen of both. Secrets are sealed (secrets.ts).
alter table dialer
  add ari_user text check (length(ari_user) between 1 and 100),
  add ari_secret_sealed text,
  add tls_fingerprint text check (tls_fingerprint ~ '^[0-9a-f]{64}$'), -- SHA-256 of its certificate: set, it is spoken to over TLS and to nobody else
  add media_folder text check (media_folder like '/%'), -- where the dialer finds the prompts' folder
  add media_url text check (media_url ~ '^https?://'), -- or where it fetches them
  add check (ari_secret_sealed is null or ari_user is not null),
  add check (media_folder is null or media_url is null);

create type sip_transport as enum ('udp', 'tcp', 'tls');
-- How a caller ID is written to the operator: 015970001, 97715970001, +97715970001, or as it was entered.
create type cli_format as enum ('national', 'e164', 'plus', 'asIs');
alter table trunk
  add sip_host text check (length(sip_host) between 1 and 253),
  add sip_port int check (sip_port between 1 and 65535), -- null: the transport's own, 5060 or 5061
  add sip_transport sip_transport not null default 'udp',
  add sip_user text check (length(sip_user) between 1 and 100),
  add sip_secret_sealed text,
  add codecs text[] not null default '{alaw,ulaw}'
    check (cardinality(codecs) >= 1 and codecs <@ array['alaw', 'ulaw', 'g722', 'gsm']),
  add cli_format cli_format not null default 'national',
  add number_strip text not null default '' check (number_strip ~ '^[0-9]{0,15}$'), -- taken from the front of the called number, which is 977...
  add number_prefix text not null default '' check (number_prefix ~ '^\+?[0-9*#]{0,15}$'), -- and put before what is left
  add registers boolean not null default false,
  add check (sip_secret_sealed is null or sip_user is not null),
  add check (not registers or sip_host is not null and sip_user is not null);

-- Written by the engine that holds the dialer's lease, about every second; what is older than a few seconds is no news.
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
  check (reachable = (reason is null)),
  check ((last_failure is null) = (last_failure_at is null))
) with (fillfactor = 50);

create type registration as enum ('registered', 'unregistered', 'rejected');
create table trunk_state (
  trunk_id int primary key references trunk,
  reachable boolean, -- null: nobody knows, or its dialer is out of reach
  registered registration, -- null: it does not register, or nobody knows
  calls int not null,
  channels int not null,
  begun int not null,
  recent text not null default '' check (recent ~ '^[01]{0,100}$'), -- its last calls, the newest last: 1 answered, 0 not
  last_failure text,
  last_failure_at timestamptz,
  seen_at timestamptz not null default now(),
  check ((last_failure is null) = (last_failure_at is null))
) with (fillfactor = 50);

-- What a super admin asks of a trunk; whoever holds its dialer's lease does it once and writes what came of it.
create type trunk_test_kind as enum ('ping', 'call');
create table trunk_test (
  id int generated always as identity primary key,
  trunk_id int not null references trunk,
  dialer_id int not null references dialer, -- at the time
  kind trunk_test_kind not null,
  phone bigint check ((phone is not null) = (kind = 'call')),
  cli text check ((cli is not null) = (kind = 'call')),
  by_user_id int not null references users,
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
