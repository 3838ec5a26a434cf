-- The number that people know the first line of a stored file by: 0 for a header that was put above a row in their line 1.
alter table base add column first_line smallint not null default 1 check (first_line in (0, 1));
-- Which of its columns is one that templates speak, by the template's name, where its owner said so: {"amount": "Premium Amount"}.
alter table base add column spoken_from jsonb not null default '{}';
