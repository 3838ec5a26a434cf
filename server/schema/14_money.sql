-- The ledger, and the history of credits that people read.

-- instead of identity, which partitioned tables have only since 17
create sequence transfer_id;

create type transfer_kind as enum ('credit_add', 'credit_remove', 'calls', 'sms', 'sms_refund');

-- One line per batch, campaign and level, not per call.
create table transfer (
  id bigint primary key default nextval('transfer_id'),
  batch_id bigint,
  at timestamptz not null default now(),
  amount_paisa bigint not null check (amount_paisa > 0),
  payer_id int not null,
  payee_id int not null,
  campaign_id int,
  attempts int not null default 0,
  level smallint not null default 0,
  kind transfer_kind not null,
  -- Messages in the books: transfers of kind 'sms' name their campaign here (attempts: how many
  -- messages paid), and so do lines of history.
  sms_campaign_id int
) partition by range (id);
create index on transfer (payer_id, id);
create index on transfer (payee_id, id);
create index on transfer (batch_id);
revoke update, delete on transfer from ghanti_app;
select make_partitions('transfer', 0, 10000000, 2);

-- What history shows: one line per movement of credits and account, or per campaign, day and
-- account (docs/design.md).
create type credit_action as enum (
  'credit_add',
  'credit_remove',
  'campaign_deduction',
  'campaign_margin',
  'sms_refund'
);

create table credit_entry (
  id bigint generated always as identity primary key,
  account_id int not null references account,
  action credit_action not null,
  other_id int references account, -- the other side of a movement; null for campaigns
  campaign_id int references campaign,
  day date, -- Nepal's; null for movements
  amount_paisa bigint not null, -- signed: what it did to this account
  balance_paisa bigint not null, -- of this account after its last entry
  at timestamptz not null default now(),
  by_user_id int,
  reference text,
  payment_mode text,
  note text,
  -- The credits history of a reseller holds what the accounts below did: read in its order by whose
  -- children they are. Parents never change.
  parent_id int,
  sms_campaign_id int references sms_campaign,
  check (num_nonnulls(campaign_id, sms_campaign_id) <= 1)
) with (fillfactor = 70);
create unique index credit_entry_campaign_day on credit_entry
  (account_id, campaign_id, day, action)
  where campaign_id is not null;
create index credit_entry_account on credit_entry (account_id, at, id);
create index credit_entry_at on credit_entry (at, id);
create index credit_entry_words on credit_entry
  using gin (lower(coalesce(reference, '') || chr(10) || coalesce(note, '')) gin_trgm_ops)
  where reference is not null or note is not null;
-- A search for an action's name finds its lines however few they are, and the history of one action
-- begins with them.
create index credit_entry_moved_action on credit_entry (action, at, id) where campaign_id is null;
create index credit_entry_moved on credit_entry (account_id, action, at, id)
  where campaign_id is null;
create index credit_entry_other on credit_entry (other_id, account_id, at, id)
  where other_id is not null;
create unique index credit_entry_sms_day on credit_entry (account_id, sms_campaign_id, day, action)
  where sms_campaign_id is not null;
create index credit_entry_below on credit_entry (parent_id, at, id);
create index credit_entry_moved_below on credit_entry (parent_id, action, at, id)
  where campaign_id is null;
-- Without them a word that millions of references have looks as rare as one that few have.
create statistics credit_entry_words_said
  on (lower(coalesce(reference, '') || chr(10) || coalesce(note, '')))
  from credit_entry;
create statistics credit_entry_words_stats
  on lower(coalesce(reference, '') || chr(10) || coalesce(note, ''))
  from credit_entry;

create function credit_entry_parent() returns trigger language plpgsql as $$
begin
  new.parent_id := (select parent_id from users where id = new.account_id);
  return new;
end
$$;
create trigger credit_entry_parent before insert on credit_entry
  for each row when (new.parent_id is null)
  execute function credit_entry_parent();
