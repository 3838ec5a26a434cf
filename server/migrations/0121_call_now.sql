-- Call Now: somebody reads of a call in the report and calls its customer again, an agent first. Like a test call it is a campaign of its own in no list
-- and no count; its one row is the customer. is_test says that it is a call of its own, is_call_now which.
alter table campaign add is_call_now boolean not null default false, add check (is_test or not is_call_now);
create index campaign_call_now on campaign (account_id, id) where is_call_now;
-- Of Call Now: the customer's telephone was, or is about to be, rung. Written before it is, so that whoever takes the call over does not ring it again.
alter table attempt_open add customer_called boolean not null default false;
