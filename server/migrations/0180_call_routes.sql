-- A route: trunks of one dialer over which calls of its caller IDs may go. Those of the lowest priority carry the calls, shared by weight;
-- the next ones take over where none of these carries calls or has room.
create table call_route (
  id int generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default now()
);
create unique index call_route_name on call_route (lower(name));

create table call_route_step (
  route_id int not null references call_route on delete cascade,
  trunk_id int not null references trunk,
  priority smallint not null check (priority between 1 and 10),
  weight smallint not null check (weight between 1 and 100),
  primary key (route_id, trunk_id)
);
create index call_route_step_trunk on call_route_step (trunk_id);

-- Null: calls go over the caller ID's trunk alone. The trunk of a caller ID is always one of its route.
alter table cli add route_id int references call_route;
alter table cli add constraint cli_route_step foreign key (route_id, trunk_id) references call_route_step (route_id, trunk_id);
create index cli_route on cli (route_id) where route_id is not null;
