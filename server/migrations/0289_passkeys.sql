-- A passkey belongs to one account and one host (rp_id). `counter` is what the authenticator said
-- last; those that are on several devices say 0. `device_key` is the account's when the passkey
-- was added, or used together with the password: once the password has changed, it opens nothing
-- alone until then.
create table passkey (
  id int primary key default nextval('factor_id'),
  user_id int not null references users,
  rp_id text not null,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  synced boolean not null,
  name text not null,
  device_key uuid not null,
  added_at timestamptz not null,
  used_at timestamptz
);
create index passkey_user on passkey (user_id);

-- Challenges are signed, not stored, so that strangers fill no table; these were used.
create table used_challenge (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_challenge_expires on used_challenge (expires_at);

alter table ceremony add column rp_id text;
alter table ceremony drop constraint ceremony_kind_check;
alter table ceremony add constraint ceremony_kind_check
  check (kind in ('signIn', 'totp', 'passkey'));
