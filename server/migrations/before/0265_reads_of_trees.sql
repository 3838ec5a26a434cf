-- The log of an installation in use is long, and whatever is audited would wait for its index. 0265 drops the one that it replaces.
drop index concurrently if exists audit_log_reads_of_tree;
create index concurrently audit_log_reads_of_tree on audit_log (actor_id, at, id)
  where owner_id is null and action in ('campaign.export', 'user.export', 'calls.export', 'sms.export', 'insight.agents');
