-- Engines that live, so that the dialers are spread over them (docs/adr/54). liveness: the number of the advisory lock that an engine holds while it
-- lives, new at each start; dialer_lease.liveness names it. since: for how long it has lived without a gap. wants: the dialer that it would like to get
-- from another engine. leaving: it was told to end. Nothing here outlives a crash of the database: each engine writes its row again within two seconds.
create unlogged table engine (
  liveness bigint primary key,
  engine_id text not null,
  name text not null,
  weight int not null check (weight between 1 and 100),
  drivers text[] not null,
  since timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  wants int,
  leaving boolean not null
) with (fillfactor = 50);

-- For whom the last holder released the lease; null: for anybody.
alter table dialer_lease add column next_liveness bigint;
