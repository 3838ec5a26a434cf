-- The audit log is searched: by time, by who did it or is above him, by any part of what it says.
alter table audit_log add column said text generated always as (
  action || ' ' || coalesce(target, '') || ' ' || coalesce(detail ->> 'name', '') || ' ' || coalesce(detail ->> 'username', '') || ' '
  || coalesce(detail ->> 'domain', '') || ' ' || coalesce(detail ->> 'reason', '')
) stored;
create index audit_log_at on audit_log (at, id);
create index audit_log_actor_at on audit_log (actor_id, at, id);
create index audit_log_target on audit_log (target, at, id);
create index audit_log_action on audit_log (action text_pattern_ops, at, id);
create index audit_log_path on audit_log using gin (actor_path);
create index audit_log_said on audit_log using gin (said gin_trgm_ops);
drop index audit_log_actor;
