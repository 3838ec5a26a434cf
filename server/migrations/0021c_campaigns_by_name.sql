-- With the name itself in it the index alone answers which campaigns come first by name: a reseller's list reads no row of an account for it.
drop index campaign_progress_name;
create index campaign_progress_name on campaign_progress (account_id, lower(name), campaign_id) include (name);
