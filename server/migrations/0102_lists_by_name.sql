-- What a super admin's campaigns are searched by stands in the index that has them by name: of a word that begins late in the alphabet fifty thousand
-- rows were read for the first page.
drop index campaign_progress_all_name;
create index campaign_progress_all_name on campaign_progress (lower(name), campaign_id) include (name, account_id);
drop index sms_campaign_progress_all_name;
create index sms_campaign_progress_all_name on sms_campaign_progress (lower(name), campaign_id) include (name, account_id);
-- Sender IDs and saved texts of all accounts by name.
drop index sms_sender_by_name;
create index sms_sender_by_name on sms_sender (lower(name), id) where deleted_at is null;
create index sms_text_by_name on sms_text (lower(name), id) where deleted_at is null;
