-- A report is searched for the last digits of a number too. The phone of a row never changes, so that updates stay in their page.
create index sms_message_phone_end on sms_message (campaign_id, (phone % 10000));
