-- The credits history of a reseller holds what his children's accounts did: read in its order by whose children they are. Parents never change.
alter table credit_entry add column parent_id int;
update credit_entry e set parent_id = u.parent_id from users u where u.id = e.account_id;
create function credit_entry_parent() returns trigger language plpgsql as $$
begin
  new.parent_id := (select parent_id from users where id = new.account_id);
  return new;
end $$;
create trigger credit_entry_parent before insert on credit_entry for each row when (new.parent_id is null) execute function credit_entry_parent();
-- Not what a child got from or gave to its parent: that is a line of the parent's own.
create index credit_entry_children on credit_entry (parent_id, at, id) where other_id is distinct from parent_id;

-- What people moved, few among the lines of campaigns. The engine writes none of these indexes.
create index credit_entry_moved on credit_entry (account_id, at, id) where campaign_id is null;
create index credit_entry_moved_children on credit_entry (parent_id, at, id) where campaign_id is null and other_id is distinct from parent_id;
create index credit_entry_moved_at on credit_entry (at, id) where campaign_id is null;
create index credit_entry_other on credit_entry (other_id, at, id) where other_id is not null;
create index credit_entry_words on credit_entry using gin (lower(coalesce(reference, '') || chr(10) || coalesce(note, '')) gin_trgm_ops)
  where reference is not null or note is not null;
