-- People, money, sessions. Money is whole paisa (bigint); times are timestamptz.

-- One row; a restored backup gets a new id, since its attempt ids repeat.
create table installation (id text primary key check (id ~ '^[a-z0-9]{6}$'));
insert into installation values (substr(md5(random()::text || clock_timestamp()::text), 1, 6));

create type account_kind as enum ('ordinary', 'mint', 'revenue');
create type user_role as enum ('user', 'reseller', 'superAdmin');
create type account_type as enum ('promotional', 'transactional');

-- Money only: narrow and hot. A user's account has the user's id. Super admins act on the mint, which alone may be negative.
create table account (
  id int generated always as identity primary key,
  kind account_kind not null default 'ordinary',
  parent_id int references account, -- who earns its calls: the reseller above, else revenue; null for mint, revenue and super admins
  balance_paisa bigint not null default 0,
  reserved_paisa bigint not null default 0,
  check (reserved_paisa >= 0),
  check (balance_paisa >= reserved_paisa or kind = 'mint')
) with (fillfactor = 50);
create unique index account_one_mint on account (kind) where kind <> 'ordinary';
insert into account (kind) values ('mint'), ('revenue');

-- What calls earn: a row per account and writer, so that engines never wait for a common reseller. An account owns balance + income.
create table account_income (
  account_id int not null, slot smallint not null, paisa bigint not null default 0 check (paisa >= 0), primary key (account_id, slot)
) with (fillfactor = 50);

-- Calls at once of an account and all below it. Locked in id order by claims, so caps that span dialers hold.
create table account_channels (
  account_id int primary key references account,
  channels int check (channels >= 0), -- null: no limit (super admin)
  in_call int not null default 0 check (in_call >= 0)
) with (fillfactor = 50);

create table plan (
  id int generated always as identity primary key,
  owner_id int not null references account,
  name text not null check (length(name) between 1 and 100),
  pulse_ms int not null check (pulse_ms in (1000, 10000, 15000, 30000, 60000)),
  pulse_price_paisa bigint not null check (pulse_price_paisa >= 0),
  sms_price_paisa bigint check (sms_price_paisa >= 0),
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index plan_name on plan (owner_id, lower(name)) where deleted_at is null;

create table users (
  id int primary key references account,
  role user_role not null,
  parent_id int references users,
  path int[] not null, -- all ancestors from the top, then the user: the subtree of x is path @> array[x]
  username text not null check (length(username) between 1 and 100),
  password_hash text not null,
  name text not null,
  emailid text not null,
  number text not null,
  company text not null,
  address text not null default '',
  pincode text not null default '',
  account_type account_type not null default 'promotional',
  plan_id int references plan,
  expires_at timestamptz, -- null: never
  disabled_at timestamptz,
  disabled_reason text,
  deleted_at timestamptz,
  is_demo boolean not null default false,
  created_at timestamptz not null default now(),
  check (path[cardinality(path)] = id)
);
create unique index users_username on users (lower(username)) where deleted_at is null;
create index users_path on users using gin (path);
create index users_parent on users (parent_id);

-- A brand by host name: the platform's has user_id null.
create table branding (
  id int generated always as identity primary key,
  user_id int unique references users,
  hostname text unique, -- lower case; null only for the platform's
  company text not null,
  logo_hash text,
  primary_colour text check (primary_colour ~ '^#[0-9a-f]{6}$'),
  confirmed_at timestamptz
);

create table session (
  token_hash bytea primary key,
  user_id int not null references users,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ip text not null,
  user_agent text not null
);
create index session_by_user on session (user_id);

-- Failed sign-ins and the like, counted per name and per address within a window, for any number of processes.
create table throttle (key text primary key, points int not null, resets_at timestamptz not null) with (fillfactor = 50);
create index throttle_resets_at on throttle (resets_at);

-- Who did what to whom, from where. The application's role may insert and select, nothing else.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id int, -- null: nobody was signed in
  actor_path int[] not null default '{}',
  action text not null,
  target text, -- 'campaign 12', 'user 7'
  ip text not null,
  detail jsonb not null default '{}'
);
create index audit_log_actor on audit_log (actor_id, id);

-- The first answer to a write with an Idempotency-Key.
create table idempotency_key (
  user_id int not null, key text not null, body_hash bytea not null, status int, reply jsonb, at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_key_at on idempotency_key (at);

create table platform_setting (key text primary key, value jsonb not null, changed_at timestamptz not null default now(), changed_by int);
-- A calling-hours rule of one account instead of the platform's.
create table account_calling_hours (account_id int primary key references account, hours jsonb not null, reason text not null, changed_by int not null, changed_at timestamptz not null default now());
