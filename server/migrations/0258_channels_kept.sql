-- Channels that calls leave to agents (docs/adr/69, docs/adr/72): other dialers of a route see by it whether a call could begin there. contract_kept: of what the
-- trunk's contract grants its dialer.
alter table dialer_state add column kept int not null default 0;
alter table trunk_state add column kept int not null default 0, add column contract_kept int not null default 0;
