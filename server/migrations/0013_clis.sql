-- Caller IDs are listed, searched by their beginning and end, allocated and taken back.
create index cli_number_begins on cli (number text_pattern_ops) where deleted_at is null;
create index cli_number_ends on cli (reverse(number) text_pattern_ops) where deleted_at is null;
create index cli_channels on cli (channels, id) where deleted_at is null;

-- Every change of a CLI's holders locks the CLI's row first.
alter table cli_holder add id int generated always as identity;
create unique index cli_holder_id on cli_holder (id);
create index cli_holder_account_cli on cli_holder (account_id, cli_id);
drop index cli_holder_account;

-- Which campaigns may still call from it: asked before it is moved, taken back or removed.
create index campaign_unfinished_cli on campaign (cli_id) where status not in ('complete', 'cancelled', 'refused', 'failed');
