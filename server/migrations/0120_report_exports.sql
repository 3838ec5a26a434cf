-- Whose calls somebody above downloads reads of it, as of the other lists of all that they may read.
create index audit_log_exports_of_tree on audit_log (actor_id, at, id) where owner_id is null and action in ('campaign.export', 'user.export', 'calls.export');
drop index audit_log_tree_exports;
