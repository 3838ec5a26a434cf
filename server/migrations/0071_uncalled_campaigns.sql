-- A campaign that was stopped before it was prepared has no rows, and takes its place on the disk all the same.
drop index campaign_progress_uncalled;
create index campaign_progress_uncalled on campaign_progress (account_id) include (stored_rows, stored_bytes, attempts)
  where finished_at is not null and (stored_rows > attempts or attempts = 0);
