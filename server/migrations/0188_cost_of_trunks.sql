-- What a minute over the trunk costs, in paisa: of the trunks of one order, the cheapest carries the calls (docs/adr/52).
alter table call_route_step add cost_paisa int not null default 0 check (cost_paisa between 0 and 10000);
