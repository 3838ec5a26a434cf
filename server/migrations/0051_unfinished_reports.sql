-- How many reports of an account wait is asked with each that is asked for: few are unfinished at any time.
create index report_unfinished on report (requested_by) where status in ('queued', 'making');
