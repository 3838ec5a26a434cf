-- When a session was last proved to be its owner's, after the sign-in that opened it; null: not
-- since.
alter table session add column proved_at timestamptz;
