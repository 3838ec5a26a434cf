-- Recorded voices: one sound for each word of the lexicon (callflow/src/speech/lexicon.ts). The bytes are in the file store under their SHA-256.
create table voice_pack (
  id int generated always as identity primary key,
  owner_id int references users, -- null: the platform's
  name text not null check (length(name) between 1 and 100),
  language text not null check (language in ('ne', 'en')),
  revision int not null default 0, -- counts what calls may hear of it: approvals, and deletions of approved words
  change_no int not null default 0, -- counts every change: who decides names the one that he listened to
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
  check ((wav_hash is null) = (duration_ms is null) and (pending_hash is null) = (pending_ms is null))
);
create index voice_pack_word_wav on voice_pack_word (wav_hash);
create index voice_pack_word_pending on voice_pack_word (pending_hash);
