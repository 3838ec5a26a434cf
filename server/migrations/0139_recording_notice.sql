-- What both sides hear before their conversation is recorded, in each language; heard when the setting `recording_notice` is on.
create table recording_notice (
  language text primary key check (language in ('ne', 'en')),
  file_hash text not null,
  duration_ms int not null,
  said text, -- what the speech engine was given; null: uploaded
  changed_by int not null references users,
  changed_at timestamptz not null default now()
);
