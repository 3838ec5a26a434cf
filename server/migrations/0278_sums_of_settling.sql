-- What the functions of server/sql/ hand to each other. A function may be replaced, the types of
-- its parameters may not: others get other names.
create type money_of_campaign as (
  campaign_id int,
  account_id int, -- whose campaign it is
  batch_id bigint, -- null: nothing is paid
  released_paisa bigint, -- of the reservation
  paid_paisa bigint
);

create type money_of_level as (
  campaign_id int,
  level smallint,
  payer_id int,
  payee_id int,
  paisa bigint,
  paid bigint -- how many calls or messages
);

-- Calls that cost the same at every level.
create type calls_alike as (
  campaign_id int,
  reserved_paisa bigint,
  bill_ms int,
  patch_bill_ms int,
  calls bigint
);

create type counts_of_calls as (
  campaign_id int,
  calls int,
  fresh int,
  waiting int,
  done int,
  answered int,
  no_answer int,
  busy int,
  congestion int,
  failed int,
  cancel int,
  invalid int,
  rejected int,
  lost int,
  dtmf int,
  pulses bigint,
  cost_paisa bigint,
  uncollected_paisa bigint
);
