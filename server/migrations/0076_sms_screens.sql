-- What the screens of SMS campaigns need beside the engine's tables.
-- A file that was uploaded and has no name yet: kept for an hour.
create table sms_staged_file (
  name uuid primary key default gen_random_uuid(), -- what the uploader names it by
  owner_id int not null references users,
  file_hash text not null,
  size_bytes int not null,
  declared_type text not null,
  created_at timestamptz not null
);
create index sms_staged_file_owner on sms_staged_file (owner_id, created_at);
create index sms_staged_file_hash on sms_staged_file (file_hash);
create index sms_staged_file_old on sms_staged_file (created_at);

-- Lists sort by these too.
create index sms_campaign_progress_name on sms_campaign_progress (account_id, lower(name), campaign_id);
create index sms_campaign_progress_accepted on sms_campaign_progress (account_id, accepted, campaign_id);
create index sms_campaign_progress_all_start on sms_campaign_progress (start_at, campaign_id);
create index sms_campaign_progress_all_name on sms_campaign_progress (lower(name), campaign_id);
create index sms_campaign_progress_all_accepted on sms_campaign_progress (accepted, campaign_id);
create index sms_campaign_detail_base on sms_campaign_detail (base_id);
-- A report is searched for a number. The phone of a row never changes, so that updates stay in their page.
create index sms_message_phone on sms_message (campaign_id, phone);
