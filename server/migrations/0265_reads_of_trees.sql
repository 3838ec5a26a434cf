-- Downloads of messages, and counts by agent, of all that somebody may read: every account below reads of them, as of the other exports. The index
-- audit_log_reads_of_tree is built before this.
drop index audit_log_exports_of_tree;
