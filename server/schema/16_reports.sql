-- Reports, exports and archives.

create type report_status as enum ('queued', 'making', 'ready', 'failed');

create table report (
  campaign_id int primary key references campaign,
  status report_status not null,
  reason text,
  zip_hash text,
  cc_hash text,
  dtmf_hash text,
  requested_at timestamptz not null default now(),
  made_at timestamptz,
  requested_by int,
  answered int not null default 0 -- calls that the campaign had answered when its making began
);
-- How many reports of an account wait is asked with each that is asked for: few are unfinished at
-- any time.
create index report_unfinished on report (requested_by) where status in ('queued', 'making');
-- Is a stored file still some report's?
create index report_zip on report (zip_hash) where zip_hash is not null;
create index report_cc on report (cc_hash) where cc_hash is not null;
create index report_dtmf on report (dtmf_hash) where dtmf_hash is not null;

-- Does a made report hold every answered call? While a campaign still calls, one of this moment
-- does: whoever waited for it must get it.
create function report_is_current(
  made_answered int,
  made_at timestamptz,
  answered int,
  finished_at timestamptz
)
returns boolean stable
language sql
  return
    made_answered >= answered or finished_at is null and made_at > now() - interval '15 seconds';

-- A report that is made, or cannot be, shows in the campaign's row.
create function report_status_changed() returns trigger language plpgsql as $$
begin
  update campaign_progress set changed_at = clock_timestamp() where campaign_id = new.campaign_id;
  return null;
end
$$;
create trigger report_status_changed after insert or update of status on report
  for each row execute function report_status_changed();

create type export_kind as enum ('calls', 'rows');

create type export_format as enum ('csv', 'xlsx', 'parquet');

create table export (
  id int generated always as identity primary key,
  owner_id int not null references users,
  kind export_kind not null,
  format export_format not null,
  filter jsonb not null, -- as it was asked for: contract/src/exports.ts
  file_name text not null,
  status making_status not null default 'queued',
  rows bigint not null default 0, -- written so far
  bytes bigint not null default 0,
  file_hash text,
  expires_at timestamptz, -- of 'ready'
  reason text, -- of 'failed'
  asked_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((status = 'ready') = (file_hash is not null and expires_at is not null))
);
create index export_owner on export (owner_id, id);
create index export_file on export (file_hash) where file_hash is not null;
create index export_ended on export (ended_at);
create index export_campaign on export ((filter ->> 'campaignId'));

-- The campaigns whose people are in the file of an export, so that the file goes when one of them
-- is deleted.
create table export_holds (
  campaign_id int not null references campaign,
  export_id int not null references export on delete cascade,
  primary key (campaign_id, export_id)
);
create index export_holds_export on export_holds (export_id);

-- Partitions of calls and messages that are older than the platform keeps them, as files: one gzip
-- of CSV each, a member for each campaign, so that one campaign can be read, or emptied, without
-- the others (docs/adr/29).
create table archive (
  id int generated always as identity primary key,
  parent text not null check (parent in ('attempt', 'sms_sent')),
  no bigint not null,
  first_id bigint not null,
  end_id bigint not null, -- ids of its rows: from, below
  first_at timestamptz not null,
  last_at timestamptz not null, -- of the claims
  rows bigint not null,
  cost_paisa bigint not null,
  columns text not null,
  header_bytes bigint not null,
  file_hash text not null,
  bytes bigint not null,
  begun_at timestamptz not null,
  made_at timestamptz not null,
  unique (parent, no)
);
create index archive_file on archive (file_hash);
revoke delete on archive from ghanti_app;

create table archive_part (
  archive_id int not null references archive,
  campaign_id int not null,
  account_id int not null,
  rows int not null,
  start_byte bigint not null,
  bytes bigint not null,
  emptied_at timestamptz, -- after its campaign was deleted
  primary key (archive_id, campaign_id)
);
create index archive_part_campaign on archive_part (campaign_id);
-- Reports ask which of an account's calls are archived.
create index archive_part_account on archive_part (account_id, archive_id);
revoke delete on archive_part from ghanti_app;

-- The partition of an archive that was just written and read back. It waits for the lock for a
-- tenth of a second: whoever books a call meanwhile waits no longer. Refused when something of it
-- is under way, or was emptied after the file was begun.
create function drop_archived(archived int)
returns void
language plpgsql security definer set search_path = public set lock_timeout = '100ms' as $$
declare
  a archive;
  under_way boolean;
begin
  select * into strict a from archive where id = archived;
  execute format('lock table %I in access exclusive mode', a.parent);
  if a.parent = 'attempt' then
    select
      exists (select from attempt_open where id >= a.first_id and id < a.end_id)
      or exists (
        select
        from campaign_deleted d
        join archive_part p on p.campaign_id = d.campaign_id
        where p.archive_id = archived and coalesce(d.done_at, 'infinity') > a.begun_at
      )
      or exists (select from recording where attempt_id >= a.first_id and attempt_id < a.end_id)
    into under_way;
  else
    select
      exists (select from sms_open where id >= a.first_id and id < a.end_id)
      or exists (
        select
        from sms_campaign_deleted d
        join archive_part p on p.campaign_id = d.campaign_id
        where p.archive_id = archived and coalesce(d.done_at, 'infinity') > a.begun_at
      )
    into under_way;
  end if;
  if under_way then
    raise 'something of % from % is under way', a.parent, a.first_id;
  end if;
  execute format('drop table %I', a.parent || '_' || a.no);
end
$$;
