-- What an account stores is counted against its quotas, a setting of the platform: docs/adr/10.
alter table base add column value_bytes bigint; -- what the columns of its rows take once a campaign has stored them; null: uploaded before that was counted
create index base_owner on base (owner_id, id) where deleted_at is null;

alter table prompt add column size_bytes int not null default 0; -- of both files
update prompt set size_bytes = 2 * (44 + 16 * duration_ms); -- as it was sent it may have been larger

-- Known once it is prepared; before, its file says how much it will be.
alter table campaign_progress
  add column stored_rows int not null default 0, -- its rows, and the refused lines that are its own
  add column stored_bytes bigint not null default 0; -- of its rows' columns
update campaign_progress p set stored_rows = d.rows_in_file, stored_bytes = b.size_bytes
from campaign_detail d join base b on b.id = d.base_id where d.campaign_id = p.campaign_id and d.rows_in_file is not null;
