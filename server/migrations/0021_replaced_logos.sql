-- Files of logos that gave their place to another: housekeeping removes those that no brand names any more.
create table logo_replaced (hash text primary key, at timestamptz not null default now());
create index logo_replaced_at on logo_replaced (at);
