-- Bytes of recordings count for their account's quota, and each account may keep them for fewer days than the platform.
alter table recording add account_id int, add size_bytes bigint not null default 0;
update recording r set account_id = c.account_id, size_bytes = 44 + r.duration_ms::bigint * 16 from campaign c where c.id = r.campaign_id;
alter table recording alter account_id set not null;
create index recording_account on recording (account_id, at) include (size_bytes);

-- Null: as long as the platform keeps them.
alter table users add recording_days int check (recording_days between 1 and 3650);
create index users_recording_days on users (recording_days) where recording_days is not null;

-- What can be listened to no more: whoever looks for it reads when and why it went, and no dialer brings it again. Archived calls take theirs along.
create table recording_removed (
  id uuid primary key,
  attempt_id bigint not null,
  at timestamptz not null,
  after_days int -- null: somebody deleted it
);
create index recording_removed_attempt on recording_removed (attempt_id);
