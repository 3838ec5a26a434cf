-- What an account calls each of its sign-ins when it ends one: a token is known to nobody but the
-- one who holds it. The table holds a fortnight of sign-ins and is written anew at once.
alter table session add column id int generated always as identity;
create unique index session_id on session (id);
