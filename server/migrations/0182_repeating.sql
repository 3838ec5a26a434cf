-- Campaigns that are composed again and again: on days of the week, or on the date in a column of the contact file. At most 100 an account
-- (contract/src/repeats.ts).
create table repeating (
  id int generated always as identity primary key,
  account_id int not null references account (id),
  name text not null check (length(name) between 1 and 89),
  -- Fields of compose, as the set-up had them when this was made.
  fields jsonb not null,
  base_id int not null references base (id),
  rule text not null check (rule in ('weekly', 'column')),
  -- 0 is Sunday; all seven are every day.
  weekdays smallint[] not null,
  -- A row is due `offset_days` after the date in this column.
  date_column text check (length(date_column) <= 100),
  offset_days smallint not null default 0,
  -- In Nepal, since midnight.
  at_minute smallint not null check (at_minute between 0 and 1439),
  from_day date not null,
  until_day date not null,
  state text not null default 'active' check (state in ('active', 'paused', 'ended')),
  -- The day whose campaign is composed next, and when: some time before it begins. Null unless active.
  next_day date,
  next_at timestamptz,
  -- A job for that day is waiting or under way since then.
  queued_at timestamptz,
  created_at timestamptz not null default now(),
  check (from_day <= until_day),
  check ((rule = 'column') = (date_column is not null)),
  check ((state = 'active') = (next_day is not null) and (next_day is null) = (next_at is null))
);
create unique index repeating_name on repeating (account_id, lower(name));
create index repeating_next on repeating (next_at) where state = 'active';
create index repeating_base on repeating (base_id) where state <> 'ended';

-- What became of a day. The row and its campaign are inserted in one transaction, and there is one row a day: no day is composed twice.
create table repeating_day (
  repeating_id int not null references repeating (id) on delete cascade,
  day date not null,
  outcome text not null check (outcome in ('composed', 'nobody', 'missed', 'failed')),
  campaign_id int references campaign (id),
  -- How many rows of the contact file were due, where a column says so.
  rows int,
  -- Why it failed, as compose says it: [{field, code, text}].
  errors jsonb not null default '[]',
  at timestamptz not null,
  primary key (repeating_id, day),
  check ((outcome = 'composed') = (campaign_id is not null))
);
create index repeating_day_campaign on repeating_day (campaign_id) where campaign_id is not null;

alter type notice_kind add value 'repeatFailed';
