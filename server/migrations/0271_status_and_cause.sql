-- A row of a trunk's own may name a status and a cause together: then a refusal must have both. Of each pair, as of each code alone, one row holds.
alter table trunk_disposition
  drop constraint trunk_disposition_check,
  drop constraint trunk_disposition_trunk_id_sip_status_key,
  drop constraint trunk_disposition_trunk_id_q850_cause_key,
  add constraint trunk_disposition_codes_check check (num_nonnulls(sip_status, q850_cause) > 0),
  add constraint trunk_disposition_codes_key unique nulls not distinct (trunk_id, sip_status, q850_cause);
