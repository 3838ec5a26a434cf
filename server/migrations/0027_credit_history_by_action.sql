-- A search for an action's name finds its lines however few they are, and the history of one action begins with them.
create index credit_entry_moved_action on credit_entry (action, at, id) where campaign_id is null;
drop index credit_entry_moved_at;
