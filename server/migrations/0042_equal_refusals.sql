-- A campaign whose calls are all refused alike, before any of them rang, is held until one rings or its owner resumes it.
alter type hold_cause add value 'refusals';
-- A telephone that rings when it is called: whether it does says whose fault it is that a campaign's calls are refused. E.164 without the plus.
alter table trunk add test_number bigint check (test_number between 9770000000 and 9779999999999);
-- Of a trunk's own dispositions one row holds for a code.
delete from trunk_disposition d using trunk_disposition first
where first.trunk_id = d.trunk_id and first.id < d.id and (first.sip_status = d.sip_status or first.q850_cause = d.q850_cause);
alter table trunk_disposition
  add unique (trunk_id, sip_status), add unique (trunk_id, q850_cause),
  add check (sip_status between 300 and 699), add check (q850_cause between 1 and 127);
-- campaign/retry asks for the numbers that the operator did not know too.
alter table campaign add retry_invalid boolean not null default false;
