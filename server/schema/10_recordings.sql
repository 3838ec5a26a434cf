-- Recordings of calls.

-- Conversations with agents, fetched from the dialer. A line exists once the sound is stored.
create table recording (
  id uuid primary key,
  attempt_id bigint not null,
  campaign_id int not null,
  file_hash text not null,
  duration_ms int not null,
  at timestamptz not null default now(),
  -- recordings count for its quota, and it may keep them for fewer days than the platform
  account_id int not null,
  size_bytes bigint not null default 0
);
create index recording_attempt on recording (attempt_id);
-- For housekeeping: what is too old, and whether a file is still somebody's.
create index recording_at on recording (at);
create index recording_file on recording (file_hash);
create index recording_account on recording (account_id, at) include (size_bytes);
create index recording_campaign on recording (campaign_id);

-- Conversations whose sound is still on the dialer. Stored, it becomes a line of recording.
create table recording_due (
  id uuid primary key,
  attempt_id bigint not null,
  campaign_id int not null,
  dialer_id int not null references dialer,
  began_at timestamptz not null default now(),
  next_at timestamptz, -- when it is to be fetched; null: it has not ended
  tries int not null default 0,
  error text, -- of the last try
  given_up_at timestamptz, -- It was tried often enough: it is not tried any more.
  check (given_up_at is null or next_at is null)
) with (fillfactor = 70);
create index recording_due_dialer on recording_due (dialer_id, next_at);
create index recording_due_attempt on recording_due (attempt_id);

-- What can be listened to no more: whoever looks for it reads when and why it went, and no dialer
-- brings it again. Archived calls take theirs along.
create table recording_removed (
  id uuid primary key,
  attempt_id bigint not null,
  at timestamptz not null,
  after_days int -- null: somebody deleted it
);
create index recording_removed_attempt on recording_removed (attempt_id);

-- Why a conversation was not recorded although conversations are; whoever looks for it reads it.
-- Archived calls take theirs along.
create type not_recorded as enum ('noRoom', 'noNotice');

create table recording_withheld (
  attempt_id bigint primary key,
  why not_recorded not null,
  at timestamptz not null default now()
);

-- What both sides hear before their conversation is recorded, in each language; heard when the
-- setting `recording_notice` is on.
create table recording_notice (
  language text primary key check (language in ('ne', 'en')),
  file_hash text not null,
  duration_ms int not null,
  said text, -- what the speech engine was given; null: uploaded
  changed_by int not null references users,
  changed_at timestamptz not null default now()
);
