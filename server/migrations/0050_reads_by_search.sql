-- What was exported depends on what was searched for: each search within the hour has its line. The search may be long, an entry of an index not.
drop index audit_log_read;
create unique index audit_log_read on audit_log (actor_id, action, target, md5(coalesce(detail ->> 'search', '')), read_hour) where read_hour is not null;
-- Exports of all that somebody may read: every account below reads of them, without a line for each.
create index audit_log_tree_exports on audit_log (actor_id, at, id) where owner_id is null and action in ('campaign.export', 'user.export');
