-- dial_until was chosen by a person when the campaign was composed or changed: no call begins after it. False: the platform's last day.
alter table campaign add column not_after boolean not null default false;
