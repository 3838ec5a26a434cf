-- Campaigns, their rows, attempts and the money of calls. engine/*.sql.ts owns contact state and attempts; see the idea at its top.
create type campaign_status as enum ('processing', 'ready', 'running', 'complete', 'lowBalance', 'refused', 'failed', 'cancelling', 'cancelled', 'pausing', 'paused', 'resuming', 'onHold');
create type hold_cause as enum ('hours', 'trunk', 'dialer', 'expired', 'disabled', 'administrator', 'balance'); -- balance: one call is affordable again after lowBalance
create type disposition as enum ('ANSWER', 'NO ANSWER', 'BUSY', 'CONGESTION', 'FAILED', 'CANCEL', 'INVALID', 'REJECTED', 'LOST');
create type row_state as enum ('fresh', 'waiting', 'done', 'dnd', 'expired');
create type call_ender as enum ('customer', 'network', 'us');
create type transfer_kind as enum ('credit_add', 'credit_remove', 'calls', 'sms', 'sms_refund');

-- What the engine changes; what was composed is in campaign_detail.
create table campaign (
  id int generated always as identity primary key,
  account_id int not null references account,
  dialer_id int not null references dialer,
  trunk_id int not null references trunk,
  cli_id int not null references cli,
  status campaign_status not null default 'processing',
  hold_cause hold_cause, -- set with onHold
  reason text, -- of the state, in words for a person
  held_by int references users, -- the administrator whose pause only he or somebody above him lifts
  start_at timestamptz not null,
  dial_until timestamptz not null,
  channels int not null,
  reserve_paisa bigint not null check (reserve_paisa >= 0), -- worst case of one attempt at the user's level; 0 for a free plan
  retries smallint not null,
  retry_ms int not null,
  is_retry boolean not null default false, -- retried once: rows get one attempt more, no re-attempts
  retry_requested boolean not null default false, -- the engine's tick requeues the rows and clears it; until then the campaign is not complete
  end_now boolean not null default false, -- with cancelling: answered calls end at once too
  uploaded int not null default 0,
  fresh_next int not null default 0,
  fresh_end int not null default 0,
  check (fresh_next <= fresh_end and fresh_end <= uploaded)
) with (fillfactor = 50);
create index campaign_unfinished on campaign (dialer_id, start_at) where status not in ('complete', 'cancelled', 'refused', 'failed');
create index campaign_account on campaign (account_id, id);

create table campaign_detail (
  campaign_id int primary key references campaign,
  name text not null check (length(name) between 1 and 100),
  template_id smallint not null,
  base_id int not null references base,
  flow jsonb not null, -- callflow's Flow
  composed jsonb not null, -- what compose was sent, SMS addresses left out
  sms jsonb, -- the three SMS-after-call options, addresses encrypted; null: none
  retry_interval_minutes int not null,
  created_at timestamptz not null default now(),
  rows_in_file int, invalid int, duplicate int -- known after preparation
);
create table campaign_name (owner_id int not null, name_key text not null, campaign_id int not null unique, primary key (owner_id, name_key)); -- name_key: lower(name)

-- The chain, frozen at compose: level 0 the user pays his parent, level 1 that parent pays his, ... the last one pays revenue.
create table campaign_level (
  campaign_id int not null, level smallint not null, payer_id int not null, payee_id int not null,
  pulse_ms int not null, pulse_paisa bigint not null, primary key (campaign_id, level)
);

-- Sums over the slots: uploaded = fresh + in_call + waiting + done + dnd + expired at every commit.
create table campaign_count (
  campaign_id int not null, slot smallint not null,
  fresh int not null default 0, in_call int not null default 0, waiting int not null default 0,
  done int not null default 0, dnd int not null default 0, expired int not null default 0,
  attempts int not null default 0, answered int not null default 0, dtmf int not null default 0, pulses bigint not null default 0,
  no_answer int not null default 0, busy int not null default 0, congestion int not null default 0, failed int not null default 0,
  cancel int not null default 0, invalid int not null default 0, rejected int not null default 0, lost int not null default 0,
  cost_paisa bigint not null default 0, uncollected_paisa bigint not null default 0,
  primary key (campaign_id, slot)
) with (fillfactor = 50);

-- One summed row per campaign for screens, with the indexes that sorting needs; written by the engine while a campaign changes.
create table campaign_progress (
  campaign_id int primary key references campaign,
  account_id int not null,
  name text not null,
  template_id smallint not null,
  status campaign_status not null,
  reason text,
  start_at timestamptz not null,
  uploaded int not null default 0, processed int not null default 0, pending int not null default 0,
  fresh int not null default 0, in_call int not null default 0, waiting int not null default 0,
  done int not null default 0, dnd int not null default 0, expired int not null default 0,
  attempts int not null default 0, answered int not null default 0, dtmf int not null default 0, pulses bigint not null default 0,
  cost_paisa bigint not null default 0,
  outcomes jsonb not null default '{}',
  retry_no smallint not null default 0, -- the highest re-attempt that waiting rows wait for
  next_due_at timestamptz,
  changed_at timestamptz not null default now(),
  finished_at timestamptz
) with (fillfactor = 70);
create index campaign_progress_start on campaign_progress (account_id, start_at, campaign_id);
create index campaign_progress_name on campaign_progress (account_id, lower(name), campaign_id);
create index campaign_progress_status on campaign_progress (account_id, status, campaign_id);
create index campaign_progress_template on campaign_progress (account_id, template_id, campaign_id);
create index campaign_progress_uploaded on campaign_progress (account_id, uploaded, campaign_id);
create index campaign_progress_processed on campaign_progress (account_id, processed, campaign_id);
create index campaign_progress_pending on campaign_progress (account_id, pending, campaign_id);
create index campaign_progress_answered on campaign_progress (account_id, answered, campaign_id);
create index campaign_progress_pulses on campaign_progress (account_id, pulses, campaign_id);
create index campaign_progress_dnd on campaign_progress (account_id, dnd, campaign_id);
create index campaign_progress_dtmf on campaign_progress (account_id, dtmf, campaign_id);
create index campaign_progress_all_start on campaign_progress (start_at, campaign_id);
create index campaign_progress_all_name on campaign_progress (lower(name), campaign_id);
create index campaign_progress_all_status on campaign_progress (status, campaign_id);
create index campaign_progress_all_template on campaign_progress (template_id, campaign_id);
create index campaign_progress_all_uploaded on campaign_progress (uploaded, campaign_id);
create index campaign_progress_all_processed on campaign_progress (processed, campaign_id);
create index campaign_progress_all_pending on campaign_progress (pending, campaign_id);
create index campaign_progress_all_answered on campaign_progress (answered, campaign_id);
create index campaign_progress_all_pulses on campaign_progress (pulses, campaign_id);
create index campaign_progress_all_dnd on campaign_progress (dnd, campaign_id);
create index campaign_progress_all_dtmf on campaign_progress (dtmf, campaign_id);
create index campaign_progress_changed on campaign_progress (changed_at); -- what the event streams read
create index campaign_progress_finished on campaign_progress (finished_at);
create extension if not exists pg_trgm;
create index campaign_progress_name_search on campaign_progress using gin (lower(name) gin_trgm_ops);

create table campaign_event (
  id bigint generated always as identity primary key, campaign_id int not null references campaign, at timestamptz not null default now(),
  from_status campaign_status not null, to_status campaign_status not null, reason text, by_user_id int
);
create index campaign_event_campaign on campaign_event (campaign_id, id);
-- Every change of status, and of who or what holds it, leaves a line, whoever makes it; the setter names himself by set_config('ghanti.user_id', ..., true).
create function campaign_status_changed() returns trigger language plpgsql as $$
begin
  insert into campaign_event (campaign_id, from_status, to_status, reason, by_user_id)
  values (new.id, old.status, new.status, new.reason, nullif(current_setting('ghanti.user_id', true), '')::int);
  update campaign_progress set status = new.status, reason = new.reason, changed_at = clock_timestamp(),
    finished_at = case when new.status in ('complete', 'cancelled', 'refused', 'failed') then clock_timestamp() end where campaign_id = new.id;
  return null;
end $$;
create trigger campaign_status_changed after update of status, hold_cause, held_by on campaign for each row
  when (old.status <> new.status or new.status = 'onHold' and (old.hold_cause, old.held_by) is distinct from (new.hold_cause, new.held_by)) execute function campaign_status_changed();

create table campaign_contact (
  campaign_id int not null, no int not null, line int not null, phone bigint not null, follower_no int, -- the next row of the same number; line: in the file
  state row_state not null default 'fresh', attempts smallint not null default 0, congestions smallint not null default 0, disposition disposition,
  failures smallint not null default 0, -- FAILED and REJECTED so far, and one for CONGESTION before campaign/retry: such a row is dialled once more, and speaks against no trunk
  primary key (campaign_id, no)
) with (fillfactor = 50); -- a batch updates whole pages in one transaction: both versions of each row must fit
create table contact_value (campaign_id int not null, no int not null, vars jsonb not null, primary key (campaign_id, no));
create table contact_retry (
  campaign_id int not null, due_at timestamptz not null, no int not null, primary key (campaign_id, due_at, no)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create table campaign_refused (campaign_id int not null, line int not null, text text not null, reason text not null, primary key (campaign_id, line));

create table attempt_open (
  id bigint generated always as identity primary key,
  dialer_id int not null, epoch bigint not null,
  campaign_id int not null, no int not null, attempt_no smallint not null, from_state row_state not null, account_id int not null,
  phone bigint not null, reserved_paisa bigint not null,
  started_at timestamptz not null default clock_timestamp() -- later than the end of any attempt that the claim saw
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create index attempt_open_campaign on attempt_open (campaign_id);
-- What must survive the engine while a call is up: when it was answered and where in the flow it is. A row per answered call.
create table attempt_step (attempt_id bigint primary key, answered_at timestamptz not null, state jsonb not null, keys text not null default '', agent text)
  with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
-- An agent takes one call at a time.
create table agent_busy (agent bigint primary key, attempt_id bigint not null, since timestamptz not null default now());
create index agent_busy_attempt on agent_busy (attempt_id);
-- Conversations with agents, fetched from the dialer. A line exists once the sound is stored.
create table recording (id uuid primary key, attempt_id bigint not null, campaign_id int not null, file_hash text not null, duration_ms int not null, at timestamptz not null default now());
create index recording_attempt on recording (attempt_id);

create table attempt (
  id bigint primary key, batch_id bigint, -- the transfers of this batch paid for it
  started_at timestamptz not null, answered_at timestamptz, ended_at timestamptz not null, -- by the dialer's own clock
  claimed_at timestamptz not null, settled_at timestamptz not null default now(), -- by the database's: the row was this call's in between
  phone bigint not null, epoch bigint not null,
  cost_paisa bigint not null, uncollected_paisa bigint not null, -- of the user: paid, and above the reservation
  campaign_id int not null, no int not null, pulses int not null, bill_ms int, patch_bill_ms int, -- null: that leg was not answered
  attempt_no smallint not null, disposition disposition not null, sip_status smallint, q850_cause smallint, ended_by call_ender,
  keys text, agent text, recording uuid,
  check ((disposition = 'ANSWER') = (bill_ms is not null)),
  check (bill_ms >= 0 and patch_bill_ms >= 0)
) partition by range (id);
create index on attempt (campaign_id, id);

create sequence transfer_id; -- instead of identity, which partitioned tables have only since 17
create sequence batch_id;
-- One line per batch, campaign and level, not per call.
create table transfer (
  id bigint primary key default nextval('transfer_id'), batch_id bigint, at timestamptz not null default now(),
  amount_paisa bigint not null check (amount_paisa > 0), payer_id int not null, payee_id int not null,
  campaign_id int, attempts int not null default 0, level smallint not null default 0, kind transfer_kind not null
) partition by range (id);
create index on transfer (payer_id, id);
create index on transfer (payee_id, id);
create index on transfer (batch_id);

-- What history shows: one line per movement of credits and account, or per campaign, day and account (DESIGN §6).
create type credit_action as enum ('credit_add', 'credit_remove', 'campaign_deduction', 'campaign_margin', 'sms_refund');
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
  by_user_id int, reference text, payment_mode text, note text
) with (fillfactor = 70);
create unique index credit_entry_campaign_day on credit_entry (account_id, campaign_id, day, action) where campaign_id is not null;
create index credit_entry_account on credit_entry (account_id, at, id);
create index credit_entry_at on credit_entry (at, id);

-- An outcome that no batch can take, with its error. Its attempt stays open until it is told again or closed as LOST.
create table outcome_parked (attempt_id bigint primary key, error text not null, outcome jsonb not null, at timestamptz not null default now());
-- A trunk's own rows of the disposition table; they go before the table that is in code (DESIGN §9).
create type trunk_sign as enum ('good', 'fault', 'broken', 'refusal');
create table trunk_disposition (
  id int generated always as identity primary key, trunk_id int not null references trunk, sip_status smallint, q850_cause smallint,
  disposition disposition not null, sign trunk_sign not null, check (num_nonnulls(sip_status, q850_cause) = 1)
);
create index trunk_disposition_trunk on trunk_disposition (trunk_id);
-- What the judge or the engine found and a person must see.
create table alert (id bigint generated always as identity primary key, at timestamptz not null default now(), kind text not null, subject text not null, detail text not null, cleared_at timestamptz);

create function pulses(bill_ms int, pulse_ms int) returns bigint immutable parallel safe language sql
  return case when bill_ms is null then 0 else greatest(1, (bill_ms::bigint + pulse_ms - 1) / pulse_ms) end;
-- Is a call of 1 ms to an hour never cheaper at the first price than at the second? Cost rises in steps, so the start of each step of the second decides.
create function covers(pulse_ms int, pulse_paisa bigint, parent_pulse_ms int, parent_pulse_paisa bigint) returns boolean immutable language sql
  return not exists (select from generate_series(0, 3599999 / parent_pulse_ms) k
    where pulses(k * parent_pulse_ms + 1, pulse_ms) * pulse_paisa < (k + 1) * parent_pulse_paisa);
-- The next partitions: as many as it takes to have `ahead` empty ones after the one in use. Attaching blocks no insert.
create function make_partitions(parent text, last_id bigint, partition_rows bigint, ahead int) returns int language plpgsql security definer set search_path = public as $$
declare made int := 0; part text;
begin
  perform pg_advisory_xact_lock(hashtext(parent));
  for k in 0 .. last_id / partition_rows + ahead loop
    part := parent || '_' || k;
    continue when to_regclass(part) is not null or k < last_id / partition_rows; -- older ones may have been dropped
    execute format('create table %I (like %I including defaults including constraints including indexes)', part, parent);
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', parent, part, k * partition_rows, (k + 1) * partition_rows);
    execute format('grant select, insert on %I to ghanti_app', part);
    made := made + 1;
  end loop;
  return made;
end $$;

create type report_status as enum ('queued', 'making', 'ready', 'failed');
create table report (
  campaign_id int primary key references campaign, status report_status not null, reason text, zip_hash text, cc_hash text, dtmf_hash text,
  requested_at timestamptz not null default now(), made_at timestamptz, requested_by int,
  answered int not null default 0 -- calls that the campaign had answered when its making began
);
-- Does a made report hold every answered call? While a campaign still calls, one of this moment does: whoever waited for it must get it.
create function report_is_current(made_answered int, made_at timestamptz, answered int, finished_at timestamptz) returns boolean stable language sql
  return made_answered >= answered or finished_at is null and made_at > now() - interval '15 seconds';
-- A report that is made, or cannot be, shows in the campaign's row.
create function report_status_changed() returns trigger language plpgsql as $$
begin
  update campaign_progress set changed_at = clock_timestamp() where campaign_id = new.campaign_id;
  return null;
end $$;
create trigger report_status_changed after insert or update of status on report for each row execute function report_status_changed();
