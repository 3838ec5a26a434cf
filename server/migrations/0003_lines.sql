-- Dialers, trunks, caller IDs.
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
  deleted_at timestamptz
);
create unique index dialer_name on dialer (lower(name)) where deleted_at is null;

-- Times are compared in the database, never by a process's clock. Each takeover raises the epoch.
create table dialer_lease (
  dialer_id int primary key references dialer,
  engine_id text not null,
  epoch bigint not null,
  expires_at timestamptz not null
) with (fillfactor = 50);

create table trunk (
  id int generated always as identity primary key,
  name text not null check (length(name) between 1 and 100),
  pilot_number text not null,
  dialer_id int not null references dialer,
  channels int not null check (channels > 0),
  cps int not null check (cps > 0),
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index trunk_name on trunk (lower(name)) where deleted_at is null;
create index trunk_dialer on trunk (dialer_id);

-- What the engine knows of a trunk: held after faults, with the cause in words; one probe call lifts it.
create table trunk_health (
  trunk_id int primary key references trunk,
  held_since timestamptz,
  hold_reason text,
  held_for_refusals boolean not null default false,
  probes int not null default 0,
  next_probe_at timestamptz,
  last_fault text,
  last_fault_at timestamptz
);

create table cli (
  id int generated always as identity primary key,
  number text not null, -- as it is shown to the callee: national digits
  trunk_id int references trunk, -- null: inactive
  channels int not null default 30 check (channels > 0),
  pool text not null default 'dedicated' check (pool in ('dedicated', 'shared')),
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index cli_number on cli (number) where deleted_at is null;
create index cli_trunk on cli (trunk_id);
create table cli_holder (
  cli_id int not null references cli, account_id int not null references users, given_by int not null references users,
  at timestamptz not null default now(), primary key (cli_id, account_id)
);
create index cli_holder_account on cli_holder (account_id);

-- 'Stop all dialling': blocks claims, leaves statuses alone.
create table dial_block (
  id int generated always as identity primary key,
  kind text not null check (kind in ('platform', 'dialer', 'trunk', 'account')),
  target_id int check ((kind = 'platform') = (target_id is null)),
  reason text not null,
  by_user_id int not null references users,
  at timestamptz not null default now(),
  lifted_at timestamptz,
  lifted_by int references users
);
create unique index dial_block_open on dial_block (kind, coalesce(target_id, 0)) where lifted_at is null;
