-- Messages after a call (spec 1 §5, 'SMS options'). An option is what a campaign was composed with; one that was composed before these tables were there has
-- none here, and sends nothing. A row and occasion has one message, ever: it is due with the transaction that books the call (engine/dispatch-finish.sql.ts).
create type sms_occasion as enum ('success', 'fail', 'dtmf');
create type after_call_state as enum ('waiting', 'sending', 'sent', 'failed', 'unknown', 'cancelled');

create table after_call_option (
  campaign_id int not null references campaign, occasion sms_occasion not null,
  address_sealed text, -- with {PHONE}, which carries the credentials of its owner; null: forgotten, nothing more is due
  host text not null check (length(host) between 1 and 300), -- with its port when that is not the usual one: all that anybody sees of it
  answered_ms int not null default 0 check (answered_ms between 0 and 60000), -- of 'success': the shortest call that counts
  primary key (campaign_id, occasion)
);
create index after_call_option_kept on after_call_option (campaign_id) where address_sealed is not null; -- what housekeeping looks through

-- waiting → sending, once committed, before the first byte leaves → sent | failed | unknown. 'sending' goes back to waiting only when no byte left.
create table after_call_message (
  campaign_id int not null, no int not null, occasion sms_occasion not null,
  attempt_id bigint not null, account_id int not null, host text not null,
  state after_call_state not null default 'waiting',
  due_at timestamptz not null default now(), -- when it may be sent
  booked_at timestamptz not null default now(), -- the end of the call
  tries smallint not null default 0, -- requests that were begun
  begun_at timestamptz, ended_at timestamptz,
  reason text, -- in words for a person; null: nothing to say
  primary key (campaign_id, no, occasion)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create index after_call_message_waiting on after_call_message (host, account_id, due_at) where state = 'waiting';
create index after_call_message_sending on after_call_message (begun_at) where state = 'sending';

-- A row per campaign, occasion and writer. The slot is the dialer's id; 0 is whoever sends.
create table after_call_count (
  campaign_id int not null, slot smallint not null, occasion sms_occasion not null,
  booked int not null default 0, sent int not null default 0, failed int not null default 0, unknown int not null default 0, cancelled int not null default 0,
  primary key (campaign_id, slot, occasion)
) with (fillfactor = 50);
