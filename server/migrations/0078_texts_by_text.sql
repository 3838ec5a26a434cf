-- What was decided of a text: rejections are asked for too.
drop index sms_text_approved;
create index sms_text_by_text on sms_text (account_id, md5(text));
