-- How long a telephone rings, in seconds, until the call counts as not answered. Of a trunk: what its operator bears. Of a campaign: null, as long as its trunk lets it; never longer.
alter table trunk add ring_seconds smallint not null default 45 check (ring_seconds between 5 and 120);
alter table campaign add ring_seconds smallint check (ring_seconds between 5 and 120);
