-- What a program shows instead of a session: of the key only the hash, and the last four digits
-- for people. Without networks it works from everywhere, and ends. A key that was rolled works
-- until ends_at, beside the one that follows it. After a restore all are paused: what a backup
-- knew may have been revoked since.
create table api_key (
  id int generated always as identity primary key,
  user_id int not null references users,
  name text not null,
  secret_hash bytea not null unique,
  last4 text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  networks cidr[] check (cardinality(networks) > 0),
  created_at timestamptz not null,
  expires_at timestamptz,
  ends_at timestamptz,
  revoked_at timestamptz,
  is_paused boolean not null default false,
  used_at timestamptz,
  used_ip inet,
  constraint api_key_ends check (expires_at is not null or networks is not null)
);
create index api_key_user on api_key (user_id, id);
