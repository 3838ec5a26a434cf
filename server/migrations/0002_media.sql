-- Prompts and contact files. The bytes are in the file store under their SHA-256.
create type prompt_category as enum ('welcome', 'menu', 'noinput', 'wronginput', 'thanks', 'optin', 'optout', 'action');
create type prompt_status as enum ('pending', 'approved', 'rejected');

create table prompt (
  id int generated always as identity primary key,
  owner_id int not null references users,
  name text not null check (length(name) between 1 and 100),
  category prompt_category not null,
  status prompt_status not null default 'pending',
  account_type account_type not null,
  wav_hash text not null, -- 8 kHz mono 16 bit
  original_hash text not null,
  duration_ms int not null check (duration_ms > 0),
  reject_reason text,
  decided_by int references users,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index prompt_name on prompt (owner_id, lower(name)) where deleted_at is null;
create index prompt_owner on prompt (owner_id, id) where deleted_at is null;
create index prompt_status_id on prompt (status, id) where deleted_at is null;

create table base (
  id int generated always as identity primary key,
  owner_id int not null references users,
  name text not null check (length(name) between 1 and 100),
  file_hash text not null,
  size_bytes int not null,
  rows int not null,
  dialable int not null,
  columns text[] not null,
  pasted boolean not null default false, -- pasted numbers are not offered as a stored file
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index base_name on base (owner_id, lower(name)) where deleted_at is null and not pasted;

-- phone first: one descent for all owners. Owner: a user, a reseller (for his subtree), or the mint's account for the platform.
create table blacklist (
  phone bigint not null, owner_id int not null references account, id bigint generated always as identity unique,
  created_at timestamptz not null default now(), primary key (phone, owner_id)
);
