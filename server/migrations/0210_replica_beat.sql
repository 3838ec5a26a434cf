-- Counts up once a second, while a process reads lists from a replica: how far the replica shows it says how far behind the replica is (docs/adr/57).
create table replica_beat (
  one boolean primary key default true check (one),
  beat bigint not null
);
grant select, insert, update on replica_beat to ghanti_app;
