-- Blacklists are read by owner, the newest first, and by number; a list may hold millions. An id is looked up with its owner: no index of its own.
alter table blacklist drop constraint blacklist_id_key;
-- An owner is who is signed in, or the platform, and accounts are never deleted: looking him up for every number took a third of an import.
alter table blacklist drop constraint blacklist_owner_id_fkey;
create unique index blacklist_owner on blacklist (owner_id, id);
-- Last digits of a number: the last four by index, further ones are checked on what is found.
create index blacklist_last_digits on blacklist (owner_id, (phone % 10000), id);

-- What became of an uploaded file. The refused lines are kept as long as the upload is listed.
create table blacklist_upload (
  id int generated always as identity primary key,
  owner_id int not null references account,
  by_user_id int not null references users,
  file_name text not null,
  rows int not null,
  accepted int not null,
  duplicate int not null,
  invalid int not null,
  at timestamptz not null default now(),
  check (rows = accepted + duplicate + invalid)
);
create index blacklist_upload_owner on blacklist_upload (owner_id, id);
create index blacklist_upload_at on blacklist_upload (at);
create table blacklist_refused (
  upload_id int not null references blacklist_upload on delete cascade, line int not null, text text not null, reason text not null, primary key (upload_id, line)
);
