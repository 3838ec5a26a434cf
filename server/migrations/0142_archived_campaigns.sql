-- Campaigns that their owner archived from view: lists leave them out unless they are asked for. Tables of their own, so that the indexes of the
-- lists, which answer pages by themselves, stay as they are.
create table campaign_archived (campaign_id int primary key references campaign, at timestamptz not null default now());
create table sms_campaign_archived (campaign_id int primary key references sms_campaign, at timestamptz not null default now());
