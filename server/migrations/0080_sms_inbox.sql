-- What people write back: whose it is, what it asks for and what was done about it. Stored once (0074), then looked at once by whoever looks after campaigns.
create type sms_word as enum ('stop', 'start', 'help');
-- kept: it asks for nothing. alreadyOut: the number was on that list before. notOut: nothing of an opt-out was there to take back.
create type sms_inbox_action as enum ('waiting', 'kept', 'optOut', 'alreadyOut', 'optIn', 'notOut', 'help');
alter table sms_inbox
  add phone bigint, -- 977 and the national digits; null: it was sent by nobody who can be written to (a short code, a name, a foreign number)
  add word sms_word, -- as the settings had it when it came
  add action sms_inbox_action not null default 'waiting',
  add account_id int, -- whose message the number had last; null: nobody's, or nobody looked yet
  add campaign_id int;
create index sms_inbox_waiting on sms_inbox (id) where action = 'waiting';
create index sms_inbox_from on sms_inbox (from_number, id); -- how many a number sent today
create index sms_inbox_phone on sms_inbox (phone, id);
create index sms_inbox_phone_end on sms_inbox ((phone % 10000), id);
create index sms_inbox_account on sms_inbox (account_id, id);
create index sms_inbox_account_action on sms_inbox (account_id, action, id);
create index sms_inbox_action_id on sms_inbox (action, id);
create index sms_inbox_campaign on sms_inbox (campaign_id, id) where campaign_id is not null;

-- What a gateway and each number may send on one of Nepal's days is bounded; what was more is counted.
alter table sms_gateway_count
  add inbox_day date, add inbox_kept int not null default 0, -- of that day
  add inbox_dropped bigint not null default 0;

-- An opt-out is taken back by its number; what somebody blacklisted is not. It is stored whatever the quota of its account says.
alter table blacklist add opt_out boolean not null default false;
alter table sms_campaign_progress add opted_out int not null default 0; -- numbers that asked for no more messages after one of this campaign

-- The answers to STOP and HELP leave as a super admin's test messages do: once, by whoever holds the gateway, at nobody's cost.
alter table sms_gateway_test
  alter by_user_id drop not null,
  add inbox_id bigint, -- of sms_inbox: what it answers
  add constraint sms_gateway_test_cause check ((by_user_id is null) = (inbox_id is not null));
create index sms_gateway_test_answered on sms_gateway_test (phone, asked_at) where inbox_id is not null;

-- Whose message reached a number last, of those without an outcome yet.
create index sms_open_phone on sms_open (phone);
