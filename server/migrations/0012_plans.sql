-- Who made a plan: the platform's belong to the mint, whichever super admin adds them.
alter table plan add column created_by int references users;
-- Who is on a plan: asked before it is deleted, and for each line of the list.
create index users_plan on users (plan_id) where deleted_at is null;
