-- A password that an account above chose is known to two. Where the platform says so, it opens a
-- session that does nothing but choose another.
alter table users add column password_given boolean not null default false;
alter table session add column must text check (must in ('password'));
