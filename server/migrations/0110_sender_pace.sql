-- How fast an operator takes messages of one sender ID, whichever accounts and gateways they come from.
alter table sms_sender add tps int check (tps between 1 and 10000); -- segments a second; null: as fast as the gateways
