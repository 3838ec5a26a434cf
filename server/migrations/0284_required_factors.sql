-- Where the platform says so, an account must have a second factor: a session without one does
-- nothing but add it.
alter table session drop constraint session_must_check;
alter table session add constraint session_must_check check (must in ('password', 'factor'));
