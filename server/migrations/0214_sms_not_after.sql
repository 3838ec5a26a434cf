-- send_until was chosen by a person when the campaign was composed or changed: no message leaves after it. False: the platform's last day.
alter table sms_campaign add column not_after boolean not null default false;
