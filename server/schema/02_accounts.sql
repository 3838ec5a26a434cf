-- People and their accounts. Money is whole paisa (bigint); times are timestamptz.

create type account_kind as enum ('ordinary', 'mint', 'revenue');

-- Money only: narrow and hot. A user's account has the user's id. Super admins act on the mint,
-- which alone may be negative.
create table account (
  id int generated always as identity primary key,
  kind account_kind not null default 'ordinary',
  -- who earns its calls: the reseller above, else revenue; null for mint, revenue and super admins
  parent_id int references account,
  balance_paisa bigint not null default 0,
  reserved_paisa bigint not null default 0,
  -- Below it its owner and whoever gives that one credits are told. In this row, so that settling
  -- need not ask for it.
  low_balance_paisa bigint not null default 10000 check (low_balance_paisa >= 0),
  check (reserved_paisa >= 0),
  check (balance_paisa >= reserved_paisa or kind = 'mint')
) with (fillfactor = 50);
create unique index account_one_mint on account (kind) where kind <> 'ordinary';
insert into account (kind)
values ('mint'), ('revenue');

-- What calls earn: a row per account and writer, so that engines never wait for a common reseller.
-- An account owns balance + income.
create table account_income (
  account_id int not null,
  slot smallint not null,
  paisa bigint not null default 0 check (paisa >= 0),
  primary key (account_id, slot)
) with (fillfactor = 50);

-- Calls at once of an account and all below it. Locked in id order by claims, so caps that span
-- dialers hold.
create table account_channels (
  account_id int primary key references account,
  channels int check (channels >= 0) -- null: no limit (super admin)
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
  deleted_at timestamptz,
  -- Who made a plan: the platform's belong to the mint, whichever super admin adds them.
  created_by int
);
create unique index plan_name on plan (owner_id, lower(name)) where deleted_at is null;

create function pulses(bill_ms int, pulse_ms int)
returns bigint immutable parallel safe
language sql
  return
    case
      when bill_ms is null then 0
      else greatest(1, (bill_ms::bigint + pulse_ms - 1) / pulse_ms)
    end;

-- Is a call of 1 ms to an hour never cheaper at the first price than at the second? Cost rises in
-- steps, so the start of each step of the second decides.
create function covers(
  pulse_ms int,
  pulse_paisa bigint,
  parent_pulse_ms int,
  parent_pulse_paisa bigint
)
returns boolean immutable
language sql
  return not exists (
    select
    from generate_series(0, 3599999 / parent_pulse_ms) k
    where pulses(k * parent_pulse_ms + 1, pulse_ms) * pulse_paisa < (k + 1) * parent_pulse_paisa
  );

create type user_role as enum ('user', 'reseller', 'superAdmin');

create type account_type as enum ('promotional', 'transactional');

create table users (
  id int primary key references account,
  role user_role not null,
  parent_id int references users,
  -- all ancestors from the top, then the user: the subtree of x is path @> array[x]
  path int[] not null,
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
  disabled_by int references users, -- Who disabled it: what a super admin did, no reseller lifts.
  -- What the cookie of a browser that signed in before is bound to: whoever writes a password or
  -- disables an account renews it.
  device_key uuid not null default gen_random_uuid(),
  -- Mail goes to an address only after somebody who reads it has confirmed it. What is kept is the
  -- confirmed address: another one is not.
  verified_emailid text,
  -- What a search looks through of an account, stored: made anew for each of ten thousand accounts
  -- it took most of a search's time.
  searched text generated always as (
    lower(
      username || chr(10) || name || chr(10) || company || chr(10) || emailid || chr(10) || number
    )
  ) stored,
  -- Null: as long as the platform keeps them.
  recording_days int check (recording_days between 1 and 3650),
  check (path[cardinality(path)] = id)
);
create unique index users_username on users (lower(username)) where deleted_at is null;
create index users_path on users using gin (path);
create index users_parent on users (parent_id);
-- What the list of users is sorted by and searched in; lower(username) has its unique index.
create index users_name on users (lower(name), id) where deleted_at is null;
create index users_company on users (lower(company), id) where deleted_at is null;
create index users_expiry on users (coalesce(expires_at, 'infinity'), id) where deleted_at is null;
-- The list of users by their type.
create index users_role on users (role, id) where deleted_at is null;
-- Who is on a plan: asked before it is deleted, and for each line of the list.
create index users_plan on users (plan_id) where deleted_at is null;
-- Accounts that are disabled, few among many, stop all that are below them.
create index users_disabled on users (id) where disabled_at is not null;
create index users_search on users using gin (searched gin_trgm_ops);
-- Owners by name, deleted ones too, whose files stay.
create index users_username_all on users (lower(username), id);
create index users_recording_days on users (recording_days) where recording_days is not null;
create statistics users_searched_stats
  on lower(
      username || chr(10) || name || chr(10) || company || chr(10) || emailid || chr(10) || number
    )
  from users;
create statistics users_username_stats on lower(username) from users;
create statistics users_company_stats on lower(company) from users;
create statistics users_name_stats on lower(name) from users;

-- An account is live when no id of its path is disabled or deleted. This is the only definition:
-- sessions, sign-in, claims and holds, jobs, mails and brands ask it. It reads the path instead of
-- a flag that is kept, so that no account that is made or changed meanwhile can be missed. The row
-- of what stops an account, the nearest when there are several; none: it is live. A super admin
-- above stops nobody: together they are the platform. Inlined into the query that asks, as long as
-- it is plain SQL: a look at the primary key for each id of the path.
create function account_stopped_by(of_path int[])
returns table (
  stopper_id int,
  stopper text,
  stopped_at timestamptz,
  stop_reason text
)
language sql stable parallel safe rows 1 as $$
  select u.id, u.username, u.disabled_at, u.disabled_reason
  from users u
  where u.id = any (of_path)
    and (u.disabled_at is not null or u.deleted_at is not null)
    and (u.role <> 'superAdmin' or u.id = of_path[cardinality(of_path)])
  order by cardinality(u.path) desc
  limit 1
$$;

create function renew_device_key() returns trigger language plpgsql as $$
begin
  new.device_key := gen_random_uuid();
  return new;
end
$$;
create trigger users_renew_device_key before update of password_hash, disabled_at on users
  for each row when (
    old.password_hash is distinct from new.password_hash
    or old.disabled_at is distinct from new.disabled_at
  )
  execute function renew_device_key();

-- A calling-hours rule of one account instead of the platform's.
create table account_calling_hours (
  account_id int primary key references account,
  hours jsonb not null,
  reason text not null,
  changed_by int not null,
  changed_at timestamptz not null default now()
);

create table platform_setting (
  key text primary key,
  value jsonb not null,
  changed_at timestamptz not null default now(),
  changed_by int
);

-- A brand by host name: the platform's has user_id null.
create table branding (
  id int generated always as identity primary key,
  user_id int unique references users,
  company text not null,
  logo_hash text,
  primary_colour text check (primary_colour ~ '^#[0-9a-f]{6}$'),
  -- what kind of picture the logo is
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  -- The last domain that the super admin refused or took back, until another one is asked for.
  refused_hostname text,
  refused_reason text,
  refused_at timestamptz,
  -- Whose quota a logo counts against: the account that sent it, for itself or for an account
  -- below. Null: the platform's, or sent by a super admin for it.
  logo_bytes int check (logo_bytes > 0),
  logo_sender int references users,
  check ((logo_hash is null) = (logo_type is null)),
  check ((logo_hash is null) = (logo_bytes is null)),
  check (logo_sender is null or logo_hash is not null)
);
create unique index branding_of_platform on branding ((user_id is null)) where user_id is null;
create index branding_logo on branding (logo_hash) where logo_hash is not null;
create index branding_sender on branding (logo_sender) where logo_sender is not null;
comment on column branding.refused_reason is 'Null: another account got the domain.';

create table brand_domain (
  id int generated always as identity primary key,
  hostname text not null check (hostname = lower(hostname)), -- IDN as punycode
  user_id int not null references users,
  asked_at timestamptz not null default now(),
  confirmed_at timestamptz,
  confirmed_by int references users,
  -- who asked: the account itself, or one above it. An account may have few that wait.
  asked_by int references users
);
-- one that works, one that waits
create unique index brand_domain_of_user on brand_domain (user_id, (confirmed_at is null));
create unique index brand_domain_confirmed on brand_domain (hostname)
  where confirmed_at is not null;
create index brand_domain_waiting on brand_domain (hostname) where confirmed_at is null;
create index brand_domain_asked on brand_domain (asked_by) where confirmed_at is null;
