-- What somebody narrowed a list of the console down to, under a name. At most 50 an account (contract/src/saved-views.ts).
create table saved_view (
  id int generated always as identity primary key,
  user_id int not null references users (id),
  -- The path of the list's route.
  list text not null check (length(list) <= 200),
  name text not null check (length(name) between 1 and 40),
  -- Filters, search and sort of the console's address.
  query text not null check (length(query) between 1 and 1000),
  is_default boolean not null default false
);
create unique index saved_view_name on saved_view (user_id, list, lower(name));
create unique index saved_view_default on saved_view (user_id, list) where is_default;
