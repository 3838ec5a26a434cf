-- How many calls a second a trunk's operator takes at the moment, where that is fewer than the contract has; null: all that are asked for.
alter table trunk_state add takes_cps real check (takes_cps > 0);
-- The operator has no room for the call now: fewer calls a second, and no fault while some pass.
alter type trunk_sign add value 'congested' before 'fault';
