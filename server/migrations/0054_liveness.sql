-- The advisory lock that the holder's engine keeps while it lives; null: a lease from before there was one, or taken by hand.
alter table dialer_lease add column liveness bigint;
