-- Of a campaign that follows calls: rows that get none of some text, since a column would have put into it what is not approved. Known after preparation.
alter table sms_campaign_detail add withheld int not null default 0;
