-- Adding a factor belongs to the session that began it, and ends with it. Null: a sign-in, whose
-- session is still to come, or a beginning of the release before.
alter table ceremony add column session_id int references session (id) on delete cascade;
create index ceremony_session on ceremony (session_id);
