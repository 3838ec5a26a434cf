-- A prompt that the dialer cannot play stops its campaign before it dials.
alter type hold_cause add value 'prompts';
-- A prompt failed after the answer: the call was ended by us and is not charged.
alter table attempt add unheard boolean not null default false;

-- Conversations whose sound is still on the dialer. Stored, it becomes a line of recording.
create table recording_due (
  id uuid primary key,
  attempt_id bigint not null,
  campaign_id int not null,
  dialer_id int not null references dialer,
  began_at timestamptz not null default now(),
  next_at timestamptz, -- when it is to be fetched; null: it has not ended
  tries int not null default 0,
  error text -- of the last try
) with (fillfactor = 70);
create index recording_due_dialer on recording_due (dialer_id, next_at);
create index recording_due_attempt on recording_due (attempt_id);
-- For housekeeping: what is too old, and whether a file is still somebody's.
create index recording_at on recording (at);
create index recording_file on recording (file_hash);
