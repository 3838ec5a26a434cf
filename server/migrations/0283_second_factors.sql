-- What an account proves itself with besides its password. A factor has an id of its own, whatever
-- its kind. Of an authenticator app, the secret is sealed for its account, and last_step is the
-- time step of the code that was used last: each code works once.
create sequence factor_id as int;
create table totp (
  user_id int primary key references users,
  id int not null unique default nextval('factor_id'),
  secret_sealed text not null,
  last_step bigint not null,
  added_at timestamptz not null,
  used_at timestamptz
);

create table recovery_code (
  code_hash bytea primary key,
  user_id int not null references users,
  used_at timestamptz
);
create index recovery_code_user on recovery_code (user_id);

-- Something that takes two requests: of its token only the hash, and how many wrong codes it has
-- taken. A sign-in (the ticket) knows the device key that was read with the password, and the
-- tries that it counts as until it is over. Adding an authenticator app knows the secret, and
-- where the browser is not known the hash of a code that was mailed.
create table ceremony (
  token_hash bytea primary key,
  user_id int not null references users,
  kind text not null check (kind in ('signIn', 'totp')),
  device_key text,
  counted jsonb,
  secret_sealed text,
  is_mailed boolean not null default false,
  mail_hash bytea,
  wrong smallint not null default 0,
  expires_at timestamptz not null
);
create index ceremony_user on ceremony (user_id);
create index ceremony_expires on ceremony (expires_at);

alter table session add column factor text check (factor in ('totp', 'recovery', 'passkey'));

alter type notice_kind add value 'factorChanged';
