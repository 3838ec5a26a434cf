-- What people moved, by action, and between whom: the history of one account is narrowed down and searched without a look at all of the other's.
-- As before, the engine writes none of these.
drop index credit_entry_moved;
create index credit_entry_moved on credit_entry (account_id, action, at, id) where campaign_id is null;
drop index credit_entry_moved_children;
create index credit_entry_moved_children on credit_entry (parent_id, action, at, id) where campaign_id is null and other_id is distinct from parent_id;
drop index credit_entry_other;
create index credit_entry_other on credit_entry (other_id, account_id, at, id) where other_id is not null;
-- Without them a word that millions of references have looks as rare as one that few have.
create statistics credit_entry_words_said on (lower(coalesce(reference, '') || chr(10) || coalesce(note, ''))) from credit_entry;
