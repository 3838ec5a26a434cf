-- The credits history is long, and the calls that write it would wait for its indexes. 0276 drops those that they replace.
drop index concurrently if exists credit_entry_below;
create index concurrently credit_entry_below on credit_entry (parent_id, at, id);
drop index concurrently if exists credit_entry_moved_below;
create index concurrently credit_entry_moved_below on credit_entry (parent_id, action, at, id) where campaign_id is null;
