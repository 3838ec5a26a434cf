-- Where texts have to be approved, it is the text that is: a row whose columns put more into it than names and figures waits here for a super admin, who
-- decides on all of a campaign's. Such rows are none of the campaign's messages, and in none of its counters, until they are let in.
create table sms_unapproved (
  campaign_id int not null, line int not null, -- line: in the file
  phone bigint not null, operator smallint not null, segments smallint not null check (segments > 0),
  vars jsonb not null,
  reason text not null, -- which column, and why
  primary key (campaign_id, line)
);
alter table sms_campaign
  add unapproved int not null default 0, -- how many of its rows wait there
  add values_decision approval not null default 'pending', -- the engine carries it out
  add values_reason text, -- why they were rejected
  add check (values_reason is null or values_decision = 'rejected');
