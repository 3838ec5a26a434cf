-- Prompts and spoken words. The bytes are in the file store under their SHA-256.

create type prompt_category as enum (
  'welcome',
  'menu',
  'noinput',
  'wronginput',
  'thanks',
  'optin',
  'optout',
  'action'
);

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
  deleted_at timestamptz,
  size_bytes int not null default 0 -- of both files
);
create unique index prompt_name on prompt (owner_id, lower(name)) where deleted_at is null;
create index prompt_owner on prompt (owner_id, id) where deleted_at is null;
create index prompt_status_id on prompt (status, id) where deleted_at is null;
-- Is a sound still some prompt's? Asked of every copy on a dialer.
create index prompt_wav on prompt (wav_hash) where deleted_at is null;
-- Is a stored file still some prompt's? Asked of every file, once a day; prompt_wav answers it for
-- the sounds of those that are not deleted.
create index prompt_original on prompt (original_hash) where deleted_at is null;
create index prompt_deleted_wav on prompt (wav_hash) where deleted_at is not null;
-- Voice files by any part of their name.
create index prompt_name_search on prompt using gin (lower(name) gin_trgm_ops)
  where deleted_at is null;
-- A super admin's lists of all voice files, in each of their orders: without these a hundred
-- thousand are sorted for a page of 25.
create index prompt_all_name on prompt (lower(name), id) where deleted_at is null;
create index prompt_all_category on prompt (category, id) where deleted_at is null;
create index prompt_all_account_type on prompt (account_type, id) where deleted_at is null;
-- What a search looks through, counted for the planner. It does not believe the statistics of an
-- index that leaves rows out (those of what is deleted): without these it takes every search for
-- one that finds a handful, and reads a hundred thousand rows through an index for that.
create statistics prompt_name_stats on lower(name) from prompt;

-- Spoken values, made once for all campaigns. `voice` names what made the sound (engine, version,
-- settings, language), `text` what it says.
create table speech_sound (
  id int generated always as identity primary key,
  voice text not null,
  text text not null,
  file_hash text not null,
  duration_ms int not null check (duration_ms > 0),
  -- the last day of the campaigns that say it
  needed_until timestamptz not null default now() + interval '1 day',
  unique (voice, text)
);
create index speech_sound_needed on speech_sound (needed_until);
create index speech_sound_file on speech_sound (file_hash);

-- Recorded voices: one sound for each word of the lexicon (callflow/src/speech/lexicon.ts). The
-- bytes are in the file store under their SHA-256.
create table voice_pack (
  id int generated always as identity primary key,
  owner_id int references users, -- null: the platform's
  name text not null check (length(name) between 1 and 100),
  language text not null check (language in ('ne', 'en')),
  -- counts what calls may hear of it: approvals, and deletions of approved words
  revision int not null default 0,
  -- counts every change: who decides names the one that was listened to
  change_no int not null default 0,
  reject_reason text, -- of the last decision; null when it was an approval
  decided_by int references users,
  decided_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index voice_pack_name on voice_pack (coalesce(owner_id, 0), lower(name));
create index voice_pack_owner on voice_pack (owner_id, language);

-- A replaced word is heard as it was until its new recording is approved.
create table voice_pack_word (
  pack_id int not null references voice_pack on delete cascade,
  key text not null, -- the lexicon's
  wav_hash text, -- approved; 8 kHz mono 16 bit
  duration_ms int check (duration_ms > 0),
  pending_hash text,
  pending_ms int check (pending_ms > 0),
  primary key (pack_id, key),
  check (wav_hash is not null or pending_hash is not null),
  check (
    (wav_hash is null) = (duration_ms is null) and (pending_hash is null) = (pending_ms is null)
  )
);
create index voice_pack_word_wav on voice_pack_word (wav_hash);
create index voice_pack_word_pending on voice_pack_word (pending_hash);
