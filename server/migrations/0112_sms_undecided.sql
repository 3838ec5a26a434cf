-- The sidebar and a filter of the list ask which campaigns have rows that wait for an approval: few ever do.
create index sms_campaign_undecided on sms_campaign (id)
  where unapproved > 0 and values_decision = 'pending' and status not in ('complete', 'cancelled', 'refused', 'failed');
