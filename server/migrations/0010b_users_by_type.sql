-- The list of users by their type.
create index users_role on users (role, id) where deleted_at is null;
