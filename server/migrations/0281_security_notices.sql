-- What an account is told of its own security; nobody chooses not to be.
alter type notice_kind add value 'newBrowser';
alter type notice_kind add value 'passwordChanged';
alter type notice_kind add value 'emailChanged';

-- 'It was not me' at the foot of the mails about these: of each token only its hash, until it is
-- used, its time is over, or a mailed link has set another password.
create table not_me_link (
  token_hash bytea primary key,
  user_id int not null references users,
  expires_at timestamptz not null
);
create index not_me_link_user on not_me_link (user_id);
create index not_me_link_expires on not_me_link (expires_at);
