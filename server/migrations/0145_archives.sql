-- Partitions of calls and messages that are older than the platform keeps them, as files: one gzip of CSV each, a member for each campaign, so that
-- one campaign can be read, or emptied, without the others (docs/adr/29).
create table archive (
  id int generated always as identity primary key, parent text not null check (parent in ('attempt', 'sms_sent')), no bigint not null,
  first_id bigint not null, end_id bigint not null, -- ids of its rows: from, below
  first_at timestamptz not null, last_at timestamptz not null, -- of the claims
  rows bigint not null, cost_paisa bigint not null, columns text not null, header_bytes bigint not null,
  file_hash text not null, bytes bigint not null, begun_at timestamptz not null, made_at timestamptz not null, unique (parent, no)
);
create table archive_part (
  archive_id int not null references archive, campaign_id int not null, account_id int not null,
  rows int not null, start_byte bigint not null, bytes bigint not null, emptied_at timestamptz, -- after its campaign was deleted
  primary key (archive_id, campaign_id)
);
create index archive_part_campaign on archive_part (campaign_id);
create index archive_file on archive (file_hash);
revoke delete on archive, archive_part from ghanti_app;

-- The partition of an archive that was just written and read back. It waits for the lock for a tenth of a second: whoever books a call meanwhile waits no
-- longer. Refused when something of it is under way, or was emptied after the file was begun.
create function drop_archived(archived int) returns void language plpgsql security definer set search_path = public set lock_timeout = '100ms' as $$
declare a archive; under_way boolean;
begin
  select * into strict a from archive where id = archived;
  execute format('lock table %I in access exclusive mode', a.parent);
  if a.parent = 'attempt' then
    select exists (select from attempt_open where id >= a.first_id and id < a.end_id)
      or exists (select from campaign_deleted d join archive_part p on p.campaign_id = d.campaign_id where p.archive_id = archived and coalesce(d.done_at, 'infinity') > a.begun_at)
      or exists (select from recording where attempt_id >= a.first_id and attempt_id < a.end_id) into under_way;
  else
    select exists (select from sms_open where id >= a.first_id and id < a.end_id)
      or exists (select from sms_campaign_deleted d join archive_part p on p.campaign_id = d.campaign_id where p.archive_id = archived and coalesce(d.done_at, 'infinity') > a.begun_at) into under_way;
  end if;
  if under_way then raise 'something of % from % is under way', a.parent, a.first_id; end if;
  execute format('drop table %I', a.parent || '_' || a.no);
end $$;
