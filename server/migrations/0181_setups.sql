-- What compose holds except its contacts, under a name, to begin campaigns from. At most 100 an account (contract/src/setups.ts).
create table setup (
  id int generated always as identity primary key,
  account_id int not null references account (id),
  name text not null check (length(name) between 1 and 100),
  -- Fields of compose, as a campaign's `composed`, without name, time and the addresses of messages, which are secret.
  fields jsonb not null,
  changed_at timestamptz not null default now()
);
create unique index setup_name on setup (account_id, lower(name));
