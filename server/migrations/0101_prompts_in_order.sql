-- A super admin's lists of all voice files, in each of their orders: without these a hundred thousand are sorted for a page of 25.
create index prompt_all_name on prompt (lower(name), id) where deleted_at is null;
create index prompt_all_category on prompt (category, id) where deleted_at is null;
create index prompt_all_account_type on prompt (account_type, id) where deleted_at is null;
-- Owners by name, deleted ones too, whose files stay.
create index users_username_all on users (lower(username), id);
