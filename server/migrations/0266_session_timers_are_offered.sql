-- Session timers are offered unless a trunk says otherwise (ADR 77). Trunks that were saved with what was the default until now (always, 90 s) have it
-- because nobody chose anything else; with another time somebody has chosen, and they stay as they are.
update trunk
   set sip_options = sip_options - 'sessionTimers'
 where sip_options ->> 'sessionTimers' = 'always'
   and coalesce(sip_options ->> 'sessionSeconds', '90') = '90';
