-- Campaigns that their owner deleted when they were over: what says anything of the people who were called or written to goes, by and by; the money,
-- the times and the sums stay. A line here is for good; done_at says when the last of it was gone.
create table campaign_deleted (
  campaign_id int primary key references campaign,
  asked_at timestamptz not null, by_user_id int not null,
  attempts_to bigint not null default 0, -- those up to this id are empty
  rows_done bigint not null default 0, done_at timestamptz
);
create table sms_campaign_deleted (
  campaign_id int primary key references sms_campaign,
  asked_at timestamptz not null, by_user_id int not null,
  attempts_to bigint not null default 0, -- messages sent, here
  rows_done bigint not null default 0, done_at timestamptz
);
create index campaign_deleted_waits on campaign_deleted (campaign_id) where done_at is null;
create index sms_campaign_deleted_waits on sms_campaign_deleted (campaign_id) where done_at is null;
revoke delete on campaign_deleted, sms_campaign_deleted from ghanti_app;
create index recording_campaign on recording (campaign_id);
create index export_campaign on export ((filter ->> 'campaignId'));

-- The history is insert-only for the application; of campaigns that were deleted these two empty the next rows of it, whatever calls them, and answer
-- how far they came. Nothing of the money is touched.
create function forget_attempts(deleted int, wanted int) returns int language plpgsql security definer set search_path = public as $$
declare seen int; last bigint;
begin
  select attempts_to into last from campaign_deleted where campaign_id = deleted for update;
  if not found then raise 'campaign % was not deleted', deleted; end if;
  with part as materialized (select id from attempt where campaign_id = deleted and id > last order by id limit wanted
  ), emptied as (
    update attempt a set phone = 0, keys = null, agent = null, trail = null, recording = null from part where a.id = part.id returning a.id
  ) select count(*), coalesce(max(id), last) into seen, last from emptied;
  update campaign_deleted set attempts_to = last, rows_done = rows_done + seen where campaign_id = deleted;
  return seen;
end $$;
create function forget_sent(deleted int, wanted int) returns int language plpgsql security definer set search_path = public as $$
declare seen int; last bigint;
begin
  select attempts_to into last from sms_campaign_deleted where campaign_id = deleted for update;
  if not found then raise 'campaign % was not deleted', deleted; end if;
  with part as materialized (select id from sms_sent where campaign_id = deleted and id > last order by id limit wanted
  ), emptied as (
    update sms_sent a set phone = 0, reason = null from part where a.id = part.id returning a.id
  ) select count(*), coalesce(max(id), last) into seen, last from emptied;
  update sms_campaign_deleted set attempts_to = last, rows_done = rows_done + seen where campaign_id = deleted;
  return seen;
end $$;
