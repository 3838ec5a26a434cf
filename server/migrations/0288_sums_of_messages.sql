-- What settle_messages_1 (server/sql/) hands from one of its parts to the next.
create type counts_of_messages as (
  campaign_id int,
  ended int, -- of those that were in flight
  fresh int,
  waiting int,
  submitted int,
  failed int,
  unknown int,
  accepted int,
  segments bigint,
  cost_paisa bigint
);
