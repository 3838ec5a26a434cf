-- Links that were mailed to somebody who forgot his password: of the token only its hash, until it is used or its time is over.
create table password_reset (
  token_hash bytea primary key,
  user_id int not null references users,
  expires_at timestamptz not null
);
create index password_reset_user on password_reset (user_id);
create index password_reset_expires on password_reset (expires_at);
