-- How far away a dialer is: a request's way there and back, at its best of the last minute; null: not measured, or it is simulated.
alter table dialer_state add round_trip_ms int check (round_trip_ms >= 0);
