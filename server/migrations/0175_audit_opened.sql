-- What others opened, in order: PostgreSQL read the whole log for it, since no index had these lines alone.
create index audit_log_opened_at on audit_log (at, id) where owner_id is not null and read_hour is not null;
