-- The open ones are asked for with every one that is raised, and by their screen.
create index alert_open on alert (kind, subject) where cleared_at is null;
