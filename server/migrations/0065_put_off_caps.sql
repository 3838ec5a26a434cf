-- The lowest caps of a number's day for whose sake rows of a dialer's campaigns may wait for tomorrow: where caps are higher, rows are brought back,
-- whichever engine sees it. Null: not known, so all are looked at again.
alter table dialer_lease add column put_off_caps jsonb;
-- Rows that wait for tomorrow, to be brought back in parts. Few rows ever do; others are not in it.
create index contact_retry_put_off on contact_retry (campaign_id, no) where put_off > 0;
