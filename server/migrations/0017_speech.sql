-- Spoken values, made once for all campaigns. `voice` names what made the sound (engine, version, settings, language), `text` what it says.
create table speech_sound (
  id int generated always as identity primary key,
  voice text not null,
  text text not null,
  file_hash text not null,
  duration_ms int not null check (duration_ms > 0),
  needed_until timestamptz not null default now() + interval '1 day', -- the last day of the campaigns that say it
  unique (voice, text)
);
create index speech_sound_needed on speech_sound (needed_until);
create index speech_sound_file on speech_sound (file_hash);

-- What a row's call says: a sound for each spoken column, in the flow's order.
create table contact_speech (
  campaign_id int not null,
  no int not null,
  sounds int[] not null,
  primary key (campaign_id, no)
);
