-- Files of calls or of a campaign's rows that a background job makes for whoever asked. A row goes with its file: when it is deleted, or has expired.
alter type notice_kind add value 'exportReady';
create type export_kind as enum ('calls', 'rows');
create type export_format as enum ('csv', 'xlsx', 'parquet');
create table export (
  id int generated always as identity primary key,
  owner_id int not null references users,
  kind export_kind not null, format export_format not null,
  filter jsonb not null, -- as it was asked for: contract/src/exports.ts
  file_name text not null,
  status making_status not null default 'queued',
  rows bigint not null default 0, -- written so far
  bytes bigint not null default 0, file_hash text, expires_at timestamptz, -- of 'ready'
  reason text, -- of 'failed'
  asked_at timestamptz not null default now(), ended_at timestamptz,
  check ((status = 'ready') = (file_hash is not null and expires_at is not null))
);
create index export_owner on export (owner_id, id);
create index export_file on export (file_hash) where file_hash is not null;
create index export_ended on export (ended_at);
