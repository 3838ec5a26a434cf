-- A call whose trunk is at fault before anything rings goes on over the next trunk of its route, as the same attempt (docs/adr/50). tried: the trunks
-- before the present one, in order; null: none. How many they are is part of the channel's name (engine/dial/channel-names.ts).
alter table attempt_open add tried int[];
alter table attempt add tried int[];

-- SIP messages of such an attempt are kept for each of its trunks.
drop index sip_trace_attempt;
create unique index sip_trace_attempt on sip_trace (attempt_id, trunk_id) where attempt_id is not null;
