-- Whoever opens personal data leaves a line: one for each object, person and hour, which the unique index holds whatever runs at the same time.
-- When it is somebody else's data, the line names its owner, who reads it then; with the owner's ancestors, as it has the actor's.
alter table audit_log add column read_hour timestamptz, add column owner_id int, add column owner_path int[];
create unique index audit_log_read on audit_log (actor_id, action, target, read_hour) where read_hour is not null;
create index audit_log_owner_at on audit_log (owner_id, at, id) where owner_id is not null;
create index audit_log_owner_path on audit_log using gin (owner_path) where owner_id is not null;
create index audit_log_owned_at on audit_log (at, id) where owner_id is not null;
