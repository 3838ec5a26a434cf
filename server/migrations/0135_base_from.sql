-- Contact files that are made of the outcome of a campaign, by a background job. A row stays for a day after it ended: its asker may still look.
create type making_status as enum ('queued', 'making', 'ready', 'failed');
create table base_making (
  id int generated always as identity primary key,
  owner_id int not null references users,
  campaign_id int not null, name text not null,
  choice jsonb not null, -- which rows: contract/src/base-from.ts
  status making_status not null default 'queued',
  rows int not null default 0, -- found so far
  base_id int, reason text, -- of 'ready' and 'failed'
  asked_at timestamptz not null default now(), ended_at timestamptz
);
create index base_making_unfinished on base_making (owner_id) where status in ('queued', 'making');
create index base_making_ended on base_making (ended_at);
