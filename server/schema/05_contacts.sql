-- Contact files and blacklists.

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
  deleted_at timestamptz,
  -- A line that is refused for what it is (its number, its length) belongs to the file and is
  -- stored once, however many campaigns are made of it; one that is refused for what a template
  -- needs belongs to the campaign. Of each the first 10,000 are stored, the counts stay exact.
  -- Null: not counted yet, the next campaign does it.
  refused int,
  -- what the columns of its rows take once a campaign has stored them (quotas: docs/adr/10)
  value_bytes bigint,
  -- A contact file that no campaign was made of for the days of the setting goes: they are counted
  -- from here, or from the last campaign that was made of it.
  kept_from timestamptz not null default now(),
  -- In how many rows of a contact file numbers stand that can be called and are not, by column:
  -- [{column, rows}].
  more_numbers jsonb,
  -- The number that people know the first line of a stored file by: 0 for a header that was put
  -- above a row in their line 1.
  first_line smallint not null default 1 check (first_line in (0, 1)),
  -- Which of its columns is one that templates speak, by the template's name, where its owner said
  -- so: {"amount": "Premium Amount"}.
  spoken_from jsonb not null default '{}',
  -- In which order the dates of each column have day and month: 'dmy', 'mdy', or 'ask' while nobody
  -- has said it.
  date_orders jsonb
);
create unique index base_name on base (owner_id, lower(name))
  where deleted_at is null and not pasted;
create index base_owner on base (owner_id, id) where deleted_at is null;
-- is a stored file still some contact file's?
create index base_file on base (file_hash) where deleted_at is null;
-- which may go?
create index base_pasted on base (created_at) where pasted and deleted_at is null;
create index base_stored on base (kept_from) where not pasted and deleted_at is null;

create table base_refused (
  base_id int not null references base on delete cascade,
  line int not null,
  text text not null,
  reason text not null,
  primary key (base_id, line)
);

-- Contact files that are made of the outcome of a campaign, by a background job. A row stays for a
-- day after it ended: its asker may still look.
create type making_status as enum ('queued', 'making', 'ready', 'failed');

create table base_making (
  id int generated always as identity primary key,
  owner_id int not null references users,
  campaign_id int not null,
  name text not null,
  choice jsonb not null, -- which rows: contract/src/base-from.ts
  status making_status not null default 'queued',
  rows int not null default 0, -- found so far
  base_id int,
  reason text, -- of 'ready' and 'failed'
  asked_at timestamptz not null default now(),
  ended_at timestamptz
);
create index base_making_unfinished on base_making (owner_id) where status in ('queued', 'making');
create index base_making_ended on base_making (ended_at);

-- phone first: one descent for all owners. Owner: a user, a reseller (for the accounts below), or
-- the mint's account for the platform.
create table blacklist (
  phone bigint not null,
  owner_id int not null,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  -- An opt-out is taken back by its number; what somebody blacklisted is not. It is stored whatever
  -- the quota of its account says.
  opt_out boolean not null default false,
  primary key (phone, owner_id)
);
create unique index blacklist_owner on blacklist (owner_id, id);
-- Last digits of a number: the last four by index, further ones are checked on what is found.
create index blacklist_last_digits on blacklist (owner_id, (phone % 10000), id);

-- What became of an uploaded file. The refused lines are kept as long as the upload is listed.
create table blacklist_upload (
  id int generated always as identity primary key,
  owner_id int not null references account,
  by_user_id int not null references users,
  file_name text not null,
  rows int not null,
  accepted int not null,
  duplicate int not null,
  invalid int not null,
  at timestamptz not null default now(),
  -- A row of the file may have several numbers, and a refused row numbers in other columns: those
  -- that were found, accepted or duplicate. Null: one for each row that was not refused.
  numbers int,
  constraint blacklist_upload_check check (coalesce(numbers, rows - invalid) = accepted + duplicate)
);
create index blacklist_upload_owner on blacklist_upload (owner_id, id);
create index blacklist_upload_at on blacklist_upload (at);

create table blacklist_refused (
  upload_id int not null references blacklist_upload on delete cascade,
  line int not null,
  text text not null,
  reason text not null,
  primary key (upload_id, line)
);

-- Blacklists have a quota: docs/adr/10. A million numbers are counted as they come and go, in the
-- transaction of whoever adds or deletes them.
create table blacklist_count (
  owner_id int primary key,
  numbers int not null
);

create function count_blacklist() returns trigger language plpgsql as $$
begin
  insert into blacklist_count as n (owner_id, numbers)
  select owner_id, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed
  group by owner_id
  order by owner_id
  on conflict (owner_id) do update
  set numbers = n.numbers + excluded.numbers;
  return null;
end
$$;
create trigger blacklist_added after insert on blacklist referencing new table as changed
  for each statement execute function count_blacklist();
create trigger blacklist_deleted after delete on blacklist referencing old table as changed
  for each statement execute function count_blacklist();
