-- What messages leave through: gateways, what is seen of them, the ways through them, sender IDs and the texts that people keep.
create type sms_driver as enum ('simulator', 'smpp', 'http');
create table sms_gateway (
  id int generated always as identity primary key,
  name text not null check (length(name) between 1 and 100),
  driver sms_driver not null,
  settings jsonb not null, -- as its driver reads them (contract/src/sms-gateways.ts), without secrets
  secrets_sealed text, -- the secret ones as JSON, sealed (secrets.ts)
  enabled boolean not null default true, -- false: nothing is sent through it, and nobody is connected to it
  unknown_charged boolean, -- what becomes of a message without a receipt after 72 h; null: charged when the submit was answered, released when not
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(), -- the settings: who holds its connection opens it anew
  deleted_at timestamptz
);
create unique index sms_gateway_name on sms_gateway (lower(name)) where deleted_at is null;

-- Written by the process that holds its connection, about every second; what is older than a few seconds is no news.
create table sms_gateway_state (
  gateway_id int primary key references sms_gateway,
  bound boolean not null default false,
  window_used int not null default 0, -- submits without an answer yet
  per_second int not null default 0, -- messages of the last second
  waiting int not null default 0, -- messages that are to leave through it and have not
  held_since timestamptz, -- after faults nothing is sent through it but probes
  held_reason text,
  last_error text, -- in words
  last_error_at timestamptz,
  seen_at timestamptz not null default now(),
  check ((held_since is null) = (held_reason is null)),
  check ((last_error is null) = (last_error_at is null))
) with (fillfactor = 50);

-- What a super admin asks of a gateway; whoever holds its connection does it once and writes what came of it.
create type sms_gateway_test_kind as enum ('ping', 'message');
create type sms_test_state as enum ('waiting', 'submitted', 'delivered', 'failed', 'expired', 'unknown');
create table sms_gateway_test (
  id int generated always as identity primary key,
  gateway_id int not null references sms_gateway,
  kind sms_gateway_test_kind not null,
  phone bigint check ((phone is not null) = (kind = 'message')),
  sender text check ((sender is not null) = (kind = 'message')),
  text text check ((text is not null) = (kind = 'message')),
  by_user_id int not null references users,
  asked_at timestamptz not null default now(),
  taken_at timestamptz, -- before a byte leaves: it is never done twice
  state sms_test_state not null default 'waiting', -- a ping that was answered is 'delivered'
  id_keys text[], -- the gateway's ids of its segments, for receipts
  reason text, -- in words
  ended_at timestamptz,
  check (state = 'waiting' or taken_at is not null)
);
create index sms_gateway_test_open on sms_gateway_test (gateway_id, id) where taken_at is null;
create index sms_gateway_test_receipt on sms_gateway_test using gin (id_keys) where state = 'submitted';

-- The way of some operators' messages (contract/src/operators.ts has the codes), of one sender ID or, without, of all others. No two routes have
-- an operator and a sender ID in common: a save locks the table.
create table sms_route (
  id int generated always as identity primary key,
  operators smallint[] not null check (cardinality(operators) between 1 and 4 and operators <@ '{0,1,2,3}'::smallint[]),
  sender text check (length(sender) between 1 and 20)
);
-- The gateways of the lowest priority that work share the messages by weight; the next ones take over when none of them does.
create table sms_route_step (
  route_id int not null references sms_route on delete cascade,
  gateway_id int not null references sms_gateway,
  priority smallint not null check (priority between 1 and 10),
  weight smallint not null check (weight between 1 and 100),
  primary key (route_id, gateway_id)
);
create index sms_route_step_gateway on sms_route_step (gateway_id);

-- Sender IDs: asked for by their account, approved for some operators by a super admin.
create type approval as enum ('pending', 'approved', 'rejected');
create table sms_sender (
  id int generated always as identity primary key,
  account_id int not null references users,
  name text not null check (length(name) between 1 and 20), -- 1 to 11 signs of GSM-7, or a number
  status approval not null default 'pending',
  operators smallint[] not null default '{}' check (operators <@ '{0,1,2,3}'::smallint[]),
  reason text, -- why it was rejected
  decided_by int references users,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  check ((status = 'approved') = (operators <> '{}'))
);
create unique index sms_sender_name on sms_sender (account_id, lower(name)) where deleted_at is null;
create index sms_sender_account on sms_sender (account_id, id) where deleted_at is null;
create index sms_sender_status on sms_sender (status, id) where deleted_at is null;
create index sms_sender_by_name on sms_sender (lower(name)) where deleted_at is null;

-- Texts that an account keeps. Approved without `decided_by`: nobody had to approve it when it was saved.
create table sms_text (
  id int generated always as identity primary key,
  account_id int not null references users,
  name text not null check (length(name) between 1 and 100),
  text text not null check (length(text) between 1 and 10000),
  status approval not null default 'pending',
  reason text,
  decided_by int references users,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index sms_text_name on sms_text (account_id, lower(name)) where deleted_at is null;
create index sms_text_account on sms_text (account_id, id) where deleted_at is null;
create index sms_text_status on sms_text (status, id) where deleted_at is null;
-- Compose asks whether this very text was approved, also under a name that is gone since.
create index sms_text_approved on sms_text (account_id, md5(text)) where status = 'approved' and decided_by is not null;

alter type notice_kind add value 'senderApproved';
alter type notice_kind add value 'senderRejected';
alter type notice_kind add value 'textApproved';
alter type notice_kind add value 'textRejected';
alter type notice_kind add value 'gatewayDown';

-- A gateway that is held is an alert, cleared with the hold, and a notice to every super admin.
create function sms_gateway_noticed() returns trigger language plpgsql as $$
declare named text; about text := 'gateway ' || new.gateway_id;
begin
  if new.held_since is null then
    update alert set cleared_at = now() where kind = 'gateway_held' and subject = about and cleared_at is null;
    return null;
  end if;
  select name into named from sms_gateway where id = new.gateway_id;
  perform raise_alert('gateway_held', about, named || ': ' || new.held_reason);
  perform give_notice(u.id, 'gatewayDown', new.gateway_id, named, new.held_reason, null)
    from users u where u.role = 'superAdmin' and u.deleted_at is null;
  return null;
end $$;
create trigger sms_gateway_noticed_first after insert on sms_gateway_state for each row
  when (new.held_since is not null) execute function sms_gateway_noticed();
create trigger sms_gateway_noticed after update of held_since on sms_gateway_state for each row
  when ((old.held_since is null) <> (new.held_since is null)) execute function sms_gateway_noticed();
