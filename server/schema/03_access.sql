-- Who is signed in, what was mailed to whom, what was done.

create table session (
  token_hash bytea primary key,
  user_id int not null references users,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ip text not null,
  user_agent text not null
);
create index session_by_user on session (user_id);

-- Links that were mailed to somebody who forgot the password: of the token only its hash, until it
-- is used or its time is over.
create table password_reset (
  token_hash bytea primary key,
  user_id int not null references users,
  expires_at timestamptz not null
);
create index password_reset_user on password_reset (user_id);
create index password_reset_expires on password_reset (expires_at);

-- A link that resets a password is for the account as it was when it was asked for: with a new
-- password, a disabling or another address it is none any more, whoever caused that.
create function end_reset_links() returns trigger language plpgsql as $$
begin
  delete from password_reset where user_id = new.id;
  return null;
end
$$;
create trigger users_end_reset_links
  after update of password_hash, disabled_at, emailid, deleted_at on users
  for each row when (
    old.password_hash is distinct from new.password_hash
    or old.disabled_at is distinct from new.disabled_at
    or old.emailid is distinct from new.emailid
    or old.deleted_at is distinct from new.deleted_at
  )
  execute function end_reset_links();

-- Who is to get a link that confirms the account's address. A row stays while the day's number of
-- mails is used up, and goes when the mail is queued.
create table mail_verification_due (
  user_id int primary key references users,
  emailid text not null,
  caused_by int not null references users, -- the account whose day counts the mail
  asked_at timestamptz not null default now(),
  not_before timestamptz -- null: at once
);
create index mail_verification_due_asked on mail_verification_due (asked_at);

-- The links: of each token only its hash. A used or late one stays a while, so that whoever opens
-- it again reads why it does nothing.
create table mail_verification (
  token_hash bytea primary key,
  user_id int not null references users,
  emailid text not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_verification_user on mail_verification (user_id, sent_at);
create index mail_verification_expires on mail_verification (expires_at);

-- Mails of one of Nepal's days, by what is counted: 'account 7', 'reset 7', 'to <hash of an
-- address>', 'caused by 3'.
create table mail_count (
  counted text,
  day date,
  mails int not null,
  primary key (counted, day)
) with (fillfactor = 50);
create index mail_count_day on mail_count (day);

create table rate_limit (
  key text collate "C" primary key,
  points int not null default 0,
  expire bigint
) with (fillfactor = 50);
create index rate_limit_expire on rate_limit (expire);

-- The first answer to a write with an Idempotency-Key.
create table idempotency_key (
  user_id int not null,
  key text not null,
  body_hash bytea not null,
  status int,
  reply jsonb,
  at timestamptz not null default now(),
  -- Which request took an Idempotency-Key. When the answer to taking it was lost, the request was
  -- turned away unprocessed: only its own claim, not that of a repeated request, is given back
  -- afterwards.
  claim uuid,
  primary key (user_id, key)
);
create index idempotency_key_at on idempotency_key (at);

-- What somebody narrowed a list of the console down to, under a name. At most 50 an account
-- (contract/src/saved-views.ts).
create table saved_view (
  id int generated always as identity primary key,
  user_id int not null references users (id),
  list text not null check (length(list) <= 200), -- The path of the list's route.
  name text not null check (length(name) between 1 and 40),
  -- Filters, search and sort of the console's address.
  query text not null check (length(query) between 1 and 1000),
  is_default boolean not null default false
);
create unique index saved_view_name on saved_view (user_id, list, lower(name));
create unique index saved_view_default on saved_view (user_id, list) where is_default;

-- Who did what to whom, from where. The application's role may insert and select, nothing else.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id int, -- null: nobody was signed in
  actor_path int[] not null default '{}',
  action text not null,
  target text, -- 'campaign 12', 'user 7'
  ip text not null,
  detail jsonb not null default '{}',
  -- The audit log is searched: by time, by who did it or is above that one, by any part of what it
  -- says.
  said text generated always as (
    action || ' ' || coalesce(target, '') || ' ' || coalesce(
      detail ->> 'name', ''
    ) || ' ' || coalesce(
      detail ->> 'username', ''
    ) || ' ' || coalesce(detail ->> 'domain', '') || ' ' || coalesce(detail ->> 'reason', '')
  ) stored,
  -- Whoever opens personal data leaves a line: one for each object, person and hour, which the
  -- unique index holds whatever runs at the same time. When it is somebody else's data, the line
  -- names its owner, who reads it then; with the owner's ancestors, as it has the actor's.
  read_hour timestamptz,
  owner_id int,
  owner_path int[]
);
create index audit_log_at on audit_log (at, id);
create index audit_log_actor_at on audit_log (actor_id, at, id);
create index audit_log_target on audit_log (target, at, id);
create index audit_log_action on audit_log (action text_pattern_ops, at, id);
create index audit_log_path on audit_log using gin (actor_path);
create index audit_log_said on audit_log using gin (said gin_trgm_ops);
create index audit_log_owner_at on audit_log (owner_id, at, id) where owner_id is not null;
create index audit_log_owner_path on audit_log using gin (owner_path) where owner_id is not null;
create index audit_log_owned_at on audit_log (at, id) where owner_id is not null;
create unique index audit_log_read on audit_log
  (actor_id, action, target, md5(coalesce(detail ->> 'search', '')), read_hour)
  where read_hour is not null;
-- What others opened, in order: PostgreSQL read the whole log for it, since no index had these
-- lines alone.
create index audit_log_opened_at on audit_log (at, id)
  where owner_id is not null and read_hour is not null;
create index audit_log_reads_of_tree on audit_log (actor_id, at, id)
  where owner_id is null
    and action in (
      'campaign.export', 'user.export', 'calls.export', 'sms.export', 'insight.agents'
    );
revoke update, delete on audit_log from ghanti_app;
