-- What a call sends afterwards: requests, e-mails and texts.

-- An option is what a campaign was composed with. A row and occasion has one message, ever: it is
-- due with the transaction that books the call (voice/settle).
create type sms_occasion as enum ('success', 'fail', 'dtmf');

create table after_call_option (
  campaign_id int not null references campaign,
  occasion sms_occasion not null,
  -- with {PHONE}, which carries the credentials of its owner; null: forgotten, nothing more is due
  address_sealed text,
  -- with its port when that is not the usual one: all that anybody sees of it
  host text not null check (length(host) between 1 and 300),
  -- of 'success': the shortest call that counts
  answered_ms int not null default 0 check (answered_ms between 0 and 60000),
  primary key (campaign_id, occasion)
);
-- what housekeeping looks through
create index after_call_option_kept on after_call_option (campaign_id)
  where address_sealed is not null;

create type after_call_state as enum (
  'waiting',
  'sending',
  'sent',
  'failed',
  'unknown',
  'cancelled'
);

-- waiting → sending, once committed, before the first byte leaves → sent | failed | unknown.
-- 'sending' goes back to waiting only when no byte left.
create table after_call_message (
  campaign_id int not null,
  no int not null,
  occasion sms_occasion not null,
  attempt_id bigint not null,
  account_id int not null,
  host text not null,
  state after_call_state not null default 'waiting',
  due_at timestamptz not null default now(), -- when it may be sent
  booked_at timestamptz not null default now(), -- the end of the call
  tries smallint not null default 0, -- requests that were begun
  begun_at timestamptz,
  ended_at timestamptz,
  reason text, -- in words for a person; null: nothing to say
  primary key (campaign_id, no, occasion)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create index after_call_message_waiting on after_call_message (host, account_id, due_at)
  where state = 'waiting';
create index after_call_message_sending on after_call_message (begun_at) where state = 'sending';

-- What became of a message of our own text, in the words of messages after calls
-- (contract/src/after-call.ts).
create function after_call_state(state sms_state)
returns text
language sql immutable parallel safe as $$
  select
    case state
      when 'fresh' then 'waiting'
      when 'submitted' then 'sent'
      when 'expired' then 'cancelled'
      when 'dnd' then 'cancelled'
      when 'unreachable' then 'failed'
      else state::text
    end
$$;

-- A row per campaign, occasion and writer. The slot is the dialer's id; 0 is whoever sends.
create table after_call_count (
  campaign_id int not null,
  slot smallint not null,
  occasion sms_occasion not null,
  booked int not null default 0,
  sent int not null default 0,
  failed int not null default 0,
  unknown int not null default 0,
  cancelled int not null default 0,
  primary key (campaign_id, slot, occasion)
) with (fillfactor = 50);

create table call_text (
  campaign_id int not null references campaign, -- of the calls
  no smallint not null check (no between 0 and 15),
  occasion text not null check (occasion in ('success', 'fail', 'dtmf')),
  key text check ((key is not null) = (occasion = 'dtmf')), -- the first valid key of the call
  min_ms int not null default 0, -- with success: answered for so long at least
  text text not null check (length(text) between 1 and 10000), -- with its {column}s
  primary key (campaign_id, no)
);

-- What each row of such a campaign may be sent: how many segments its message of each text has, by
-- the text's no; null: it gets none of that text.
create table call_text_row (
  campaign_id int not null,
  no int not null,
  operator smallint not null,
  segments smallint[] not null,
  -- Why a row gets no message of a text, by the text's no, in words; null where it gets them all.
  withheld text[],
  primary key (campaign_id, no)
);
