-- Groups of caller IDs over several dialers (docs/adr/64). Engines of the version before count the channels of a group's caller IDs for themselves, and do not
-- say so here.
alter table engine add column shares_groups boolean not null default false;
