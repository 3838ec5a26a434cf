-- The dialer ends a call after 32 s without any reply (RFC 3261, timer B), so no trunk waits longer than 30 s by itself (ADR 77).
update trunk
   set sip_options = jsonb_set(sip_options, '{silentSeconds}', '30')
 where (sip_options ->> 'silentSeconds')::int > 30;
alter table trunk add constraint trunk_silent_seconds check ((sip_options ->> 'silentSeconds')::int <= 30);
