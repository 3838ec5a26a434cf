-- Downloads of messages, and counts by agent, of all that somebody may read: every account below reads of them, as of the other exports.
create index audit_log_reads_of_tree on audit_log (actor_id, at, id)
  where owner_id is null and action in ('campaign.export', 'user.export', 'calls.export', 'sms.export', 'insight.agents');
drop index audit_log_exports_of_tree;
