-- As in plans. Calls that last equally many seconds cost the same, so that they are priced together.
alter table campaign_level add check (pulse_ms > 0 and pulse_ms % 1000 = 0);
