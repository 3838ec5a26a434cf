-- What rows may be sent after their calls is stored as well: so many rows of call_text_row, which count for the account as the campaign's own do.
alter table campaign_progress add text_rows int not null default 0;
update campaign_progress p set text_rows = r.n, stored_bytes = p.stored_bytes + r.bytes
from (select campaign_id, count(*)::int as n, sum(pg_column_size(t.*))::bigint as bytes from call_text_row t group by campaign_id) r where r.campaign_id = p.campaign_id;
