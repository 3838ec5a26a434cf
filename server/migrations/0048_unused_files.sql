-- A contact file that no campaign was made of for the days of the setting goes. Those that are there already get all their days from now on.
alter table base add column kept_from timestamptz not null default now(); -- its days are counted from here, or from the last campaign that was made of it
create index campaign_detail_base on campaign_detail (base_id, created_at); -- what was made of a file?
create index base_file on base (file_hash) where deleted_at is null; -- is a stored file still some contact file's?
create index base_pasted on base (created_at) where pasted and deleted_at is null; -- which may go?
create index base_stored on base (kept_from) where not pasted and deleted_at is null;
