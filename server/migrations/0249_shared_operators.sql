-- Campaigns by operator whose calls go over several dialers (docs/adr/63). What keeps a dialer from the numbers of each operator, by the operator's code;
-- null: nothing. An operator without a key: the dialer has no trunk for its numbers.
alter table campaign_dialer add column streams jsonb;

-- Engines of the version before would call numbers whose operators' trunks are on another dialer over any trunk of theirs, and do not say so here.
alter table engine add column shares_operators boolean not null default false;
