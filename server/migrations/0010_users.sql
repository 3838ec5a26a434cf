-- Administration of accounts. Who disabled one: what a super admin did, no reseller lifts.
alter table users add column disabled_by int references users;

-- What the list of users is sorted by and searched in; lower(username) has its unique index.
create index users_name on users (lower(name), id) where deleted_at is null;
create index users_company on users (lower(company), id) where deleted_at is null;
create index users_expiry on users (coalesce(expires_at, 'infinity'), id) where deleted_at is null;
create index users_search on users using gin (
  lower(username || chr(10) || name || chr(10) || company || chr(10) || emailid || chr(10) || number) gin_trgm_ops
);
