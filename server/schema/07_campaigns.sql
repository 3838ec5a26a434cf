-- Campaigns of calls, and their rows. voice/**/*.sql.ts owns the state of rows.

create type campaign_status as enum (
  'processing',
  'ready',
  'running',
  'complete',
  'lowBalance',
  'refused',
  'failed',
  'cancelling',
  'cancelled',
  'pausing',
  'paused',
  'resuming',
  'onHold'
);

-- balance: one call is affordable again after lowBalance
create type hold_cause as enum (
  'hours',
  'trunk',
  'dialer',
  'expired',
  'disabled',
  'administrator',
  'balance',
  'prompts',
  'refusals'
);

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
  -- the administrator whose pause only that one or somebody above lifts
  held_by int references users,
  start_at timestamptz not null,
  dial_until timestamptz not null,
  channels int not null,
  -- worst case of one attempt at the user's level; 0 for a free plan
  reserve_paisa bigint not null check (reserve_paisa >= 0),
  retries smallint not null,
  retry_ms int not null,
  -- retried once: rows get one attempt more, no re-attempts
  is_retry boolean not null default false,
  -- the engine's tick requeues the rows and clears it; until then the campaign is not complete
  retry_requested boolean not null default false,
  end_now boolean not null default false, -- with cancelling: answered calls end at once too
  uploaded int not null default 0,
  fresh_next int not null default 0,
  fresh_end int not null default 0,
  -- A test call is a campaign without a name of its own and without a line in campaign_progress, so
  -- no list, count or report knows it; the engine, its judge, the caps and the money know no
  -- difference but that no row is dialled again.
  is_test boolean not null default false,
  test_of int references campaign,
  -- campaign/retry asks for the numbers that the operator did not know too.
  retry_invalid boolean not null default false,
  -- null: as long as its trunk lets it; never longer
  ring_seconds smallint check (ring_seconds between 5 and 120),
  -- The dearest messages that one call may bring about: reserved with each call beside what the
  -- call itself may cost.
  message_paisa bigint not null default 0 check (message_paisa >= 0),
  -- Call Now: somebody reads of a call in the report and calls its customer again, an agent first.
  -- Like a test call it is a campaign of its own in no list and no count; its one row is the
  -- customer. is_test says that it is a call of its own, is_call_now which.
  is_call_now boolean not null default false,
  -- dial_until was chosen by a person when the campaign was composed or changed: no call begins
  -- after it. False: the platform's last day.
  not_after boolean not null default false,
  by_operator boolean not null default false, -- it has lines in campaign_stream
  -- Campaigns whose route has trunks of several dialers (docs/adr/53). campaign.dialer_id is the
  -- dialer that leads one: its engine alone decides what becomes of it. Once its engine has set
  -- is_shared, the other dialers of the route claim rows of it, too, and all claims of its caller
  -- ID wait for each other.
  is_shared boolean not null default false,
  check (fresh_next <= fresh_end and fresh_end <= uploaded),
  check (test_of is null or is_test),
  check (is_test or not is_call_now)
) with (fillfactor = 50);
create index campaign_unfinished on campaign (dialer_id, start_at)
  where status not in ('complete', 'cancelled', 'refused', 'failed');
create index campaign_account on campaign (account_id, id);
-- Which campaigns may still call from it: asked before it is moved, taken back or removed.
create index campaign_unfinished_cli on campaign (cli_id)
  where status not in ('complete', 'cancelled', 'refused', 'failed');
create index campaign_test on campaign (account_id, id) where is_test;
create index campaign_cli on campaign (cli_id, id);
create index campaign_call_now on campaign (account_id, id) where is_call_now;
create index campaign_shared on campaign (cli_id)
  where is_shared and status not in ('complete', 'cancelled', 'refused', 'failed');

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
  rows_in_file int, -- this and the next two: known after preparation
  invalid int,
  duplicate int,
  -- of `invalid`, those that belong to the file; null: campaign_refused has them all
  refused_of_file int
);
-- what was made of a file?
create index campaign_detail_base on campaign_detail (base_id, created_at);

-- name_key: lower(name)
create table campaign_name (
  owner_id int not null,
  name_key text not null,
  campaign_id int not null unique,
  primary key (owner_id, name_key)
);

-- The chain, frozen at compose: level 0 the user pays the parent, level 1 that parent pays the
-- next, ... the last one pays revenue.
create table campaign_level (
  campaign_id int not null,
  level smallint not null,
  payer_id int not null,
  payee_id int not null,
  pulse_ms int not null,
  pulse_paisa bigint not null,
  primary key (campaign_id, level),
  -- As in plans. Calls that last equally many seconds cost the same, so that they are priced
  -- together.
  check (pulse_ms > 0 and pulse_ms % 1000 = 0)
);

-- Sums over the slots: uploaded = fresh + in_call + waiting + done + dnd + expired at every commit.
create table campaign_count (
  campaign_id int not null,
  slot smallint not null,
  fresh int not null default 0,
  in_call int not null default 0,
  waiting int not null default 0,
  done int not null default 0,
  dnd int not null default 0,
  expired int not null default 0,
  attempts int not null default 0,
  answered int not null default 0,
  dtmf int not null default 0,
  pulses bigint not null default 0,
  no_answer int not null default 0,
  busy int not null default 0,
  congestion int not null default 0,
  failed int not null default 0,
  cancel int not null default 0,
  invalid int not null default 0,
  rejected int not null default 0,
  lost int not null default 0,
  cost_paisa bigint not null default 0,
  uncollected_paisa bigint not null default 0,
  primary key (campaign_id, slot)
) with (fillfactor = 50);

-- One summed row per campaign for screens, with the indexes that sorting needs; written by the
-- engine while a campaign changes.
create table campaign_progress (
  campaign_id int primary key references campaign,
  account_id int not null,
  name text not null,
  template_id smallint not null,
  status campaign_status not null,
  reason text,
  start_at timestamptz not null,
  uploaded int not null default 0,
  processed int not null default 0,
  pending int not null default 0,
  fresh int not null default 0,
  in_call int not null default 0,
  waiting int not null default 0,
  done int not null default 0,
  dnd int not null default 0,
  expired int not null default 0,
  attempts int not null default 0,
  answered int not null default 0,
  dtmf int not null default 0,
  pulses bigint not null default 0,
  cost_paisa bigint not null default 0,
  outcomes jsonb not null default '{}',
  retry_no smallint not null default 0, -- the highest re-attempt that waiting rows wait for
  next_due_at timestamptz,
  changed_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Known once it is prepared; before, its file says how much it will be: its rows, and the refused
  -- lines that are its own.
  stored_rows int not null default 0,
  stored_bytes bigint not null default 0, -- of its rows' columns
  -- What rows may be sent after their calls is stored as well: so many rows of call_text_row, which
  -- count for the account as the campaign's own do.
  text_rows int not null default 0
) with (fillfactor = 70);
create index campaign_progress_start on campaign_progress (account_id, start_at, campaign_id);
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
create index campaign_progress_all_status on campaign_progress (status, campaign_id);
create index campaign_progress_all_template on campaign_progress (template_id, campaign_id);
create index campaign_progress_all_uploaded on campaign_progress (uploaded, campaign_id);
create index campaign_progress_all_processed on campaign_progress (processed, campaign_id);
create index campaign_progress_all_pending on campaign_progress (pending, campaign_id);
create index campaign_progress_all_answered on campaign_progress (answered, campaign_id);
create index campaign_progress_all_pulses on campaign_progress (pulses, campaign_id);
create index campaign_progress_all_dnd on campaign_progress (dnd, campaign_id);
create index campaign_progress_all_dtmf on campaign_progress (dtmf, campaign_id);
-- what the event streams read
create index campaign_progress_changed on campaign_progress (changed_at);
create index campaign_progress_finished on campaign_progress (finished_at);
create index campaign_progress_name_search on campaign_progress
  using gin (lower(name) gin_trgm_ops);
create index campaign_progress_name on campaign_progress
  (account_id, lower(name), campaign_id) include (name);
create index campaign_progress_unfinished on campaign_progress (account_id)
  where finished_at is null;
create index campaign_progress_uncalled on campaign_progress
  (account_id) include (stored_rows, stored_bytes, attempts)
  where finished_at is not null and (stored_rows > attempts or attempts = 0);
create index campaign_progress_all_name on campaign_progress
  (lower(name), campaign_id) include (name, account_id);

-- How often each word of the trails occurs: the campaign's answers. Slots as in campaign_count.
create table campaign_tally (
  campaign_id int not null,
  slot smallint not null,
  mark text not null,
  n int not null,
  primary key (campaign_id, slot, mark)
) with (fillfactor = 50);

-- The rows of a campaign whose route named operators when it was prepared are numbered by operator,
-- and each operator has a cursor of its own. The campaign's own cursor is then at its end from the
-- beginning. Other campaigns have no line here: theirs is campaign.fresh_next, and their stream is
-- 0.
create table campaign_stream (
  campaign_id int not null,
  stream smallint not null, -- the code of the operator at preparation
  fresh_from int not null,
  fresh_next int not null,
  fresh_end int not null,
  reason text, -- why its rows wait; null: nothing to say
  primary key (campaign_id, stream),
  check (fresh_from <= fresh_next and fresh_next <= fresh_end)
) with (fillfactor = 50);

-- What keeps each of its dialers from its calls; null: nothing. The line counts as long as the
-- dialer's lease has this epoch.
create table campaign_dialer (
  campaign_id int not null,
  dialer_id int not null,
  epoch bigint not null,
  cause hold_cause,
  reason text,
  -- Campaigns by operator whose calls go over several dialers (docs/adr/63). What keeps a dialer
  -- from the numbers of each operator, by the operator's code; null: nothing. An operator without a
  -- key: the dialer has no trunk for its numbers.
  streams jsonb,
  -- How many rows an engine has just left to the other dialers of a campaign's route, because no
  -- trunk of its own dialer carried them: by stream, 0 where rows are not by operator, and the
  -- engine's epoch (docs/adr/53). The others take so many of the queue, whatever trunks go before
  -- theirs. Null: none.
  left_rows jsonb,
  primary key (campaign_id, dialer_id),
  check ((cause is null) = (reason is null))
);

create table campaign_event (
  id bigint generated always as identity primary key,
  campaign_id int not null references campaign,
  at timestamptz not null default now(),
  from_status campaign_status not null,
  to_status campaign_status not null,
  reason text,
  by_user_id int
);
create index campaign_event_campaign on campaign_event (campaign_id, id);
revoke update, delete on campaign_event from ghanti_app;

-- Every change of status, and of who or what holds it, leaves a line; whoever makes it says who it
-- is by set_config('ghanti.user_id', ..., true).
create function campaign_status_changed() returns trigger language plpgsql as $$
begin
  insert into campaign_event (campaign_id, from_status, to_status, reason, by_user_id)
  values
    (
      new.id,
      old.status,
      new.status,
      new.reason,
      nullif(current_setting('ghanti.user_id', true), '')::int
    );
  update campaign_progress
  set
    status = new.status,
    reason = new.reason,
    changed_at = clock_timestamp(),
    finished_at = case
      when new.status in ('complete', 'cancelled', 'refused', 'failed') then clock_timestamp()
    end
  where campaign_id = new.id;
  return null;
end
$$;
create trigger campaign_status_changed after update of status, hold_cause, held_by on campaign
  for each row when (
    old.status <> new.status
    or new.status = 'onHold'
      and (old.hold_cause, old.held_by) is distinct from (new.hold_cause, new.held_by)
  )
  execute function campaign_status_changed();

create type row_state as enum ('fresh', 'waiting', 'done', 'dnd', 'expired');

-- a batch updates whole pages in one transaction: both versions of each row must fit
create table campaign_contact (
  campaign_id int not null,
  no int not null,
  line int not null,
  phone bigint not null,
  follower_no int, -- the next row of the same number; line: in the file
  state row_state not null default 'fresh',
  attempts smallint not null default 0,
  congestions smallint not null default 0,
  disposition disposition,
  -- FAILED and REJECTED so far, and one for CONGESTION before campaign/retry: such a row is dialled
  -- once more, and speaks against no trunk
  failures smallint not null default 0,
  primary key (campaign_id, no)
) with (fillfactor = 50);

create table contact_value (
  campaign_id int not null,
  no int not null,
  vars jsonb not null,
  primary key (campaign_id, no)
);

-- What a row's call says: a sound for each spoken column, in the flow's order.
create table contact_speech (
  campaign_id int not null,
  no int not null,
  sounds int[] not null,
  primary key (campaign_id, no)
);

create table contact_retry (
  campaign_id int not null,
  due_at timestamptz not null,
  no int not null,
  -- Why a row of the queue waits longer than by itself: 0, another call to its number was under
  -- way; n, its number had n calls that day.
  put_off int,
  stream smallint not null default 0,
  primary key (campaign_id, stream, due_at, no) -- The queue of each stream is read in its order.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
-- Rows that wait for tomorrow, to be brought back in parts. Few rows ever do; others are not in it.
create index contact_retry_put_off on contact_retry (campaign_id, no) where put_off > 0;

create table campaign_refused (
  campaign_id int not null,
  line int not null,
  text text not null,
  reason text not null,
  primary key (campaign_id, line)
);

-- Campaigns that their owner archived from view: lists leave them out unless they are asked for.
-- Tables of their own, so that the indexes of the lists, which answer pages by themselves, stay as
-- they are.
create table campaign_archived (
  campaign_id int primary key references campaign,
  at timestamptz not null default now()
);

-- Campaigns that their owner deleted when they were over: what says anything of the people who were
-- called or written to goes, by and by; the money, the times and the sums stay. A line here is for
-- good; done_at says when the last of it was gone.
create table campaign_deleted (
  campaign_id int primary key references campaign,
  asked_at timestamptz not null,
  by_user_id int not null,
  attempts_to bigint not null default 0, -- those up to this id are empty
  rows_done bigint not null default 0,
  done_at timestamptz
);
create index campaign_deleted_waits on campaign_deleted (campaign_id) where done_at is null;
revoke delete on campaign_deleted from ghanti_app;

-- What happened in each test call, as it happened. seq: of one call.
create table test_call_line (
  id bigint generated always as identity primary key,
  campaign_id int not null references campaign,
  no int not null,
  at timestamptz not null,
  seq int not null,
  line jsonb not null
);
create index test_call_line_call on test_call_line (campaign_id, no, at, seq);

-- What compose holds except its contacts, under a name, to begin campaigns from. At most 100 an
-- account (contract/src/setups.ts).
create table setup (
  id int generated always as identity primary key,
  account_id int not null references account (id),
  name text not null check (length(name) between 1 and 100),
  -- Fields of compose, as a campaign's `composed`, without name, time and the addresses of
  -- messages, which are secret.
  fields jsonb not null,
  changed_at timestamptz not null default now()
);
create unique index setup_name on setup (account_id, lower(name));

-- Campaigns that are composed again and again: on days of the week, or on the date in a column of
-- the contact file. At most 100 an account (contract/src/repeats.ts).
create table repeating (
  id int generated always as identity primary key,
  account_id int not null references account (id),
  name text not null check (length(name) between 1 and 89),
  fields jsonb not null, -- Fields of compose, as the set-up had them when this was made.
  base_id int not null references base (id),
  rule text not null check (rule in ('weekly', 'column')),
  weekdays smallint[] not null, -- 0 is Sunday; all seven are every day.
  -- A row is due `offset_days` after the date in this column.
  date_column text check (length(date_column) <= 100),
  offset_days smallint not null default 0,
  at_minute smallint not null check (at_minute between 0 and 1439), -- In Nepal, since midnight.
  from_day date not null,
  until_day date not null,
  state text not null default 'active' check (state in ('active', 'paused', 'ended')),
  -- The day whose campaign is composed next, and when: some time before it begins. Null unless
  -- active.
  next_day date,
  next_at timestamptz,
  queued_at timestamptz, -- A job for that day is waiting or under way since then.
  created_at timestamptz not null default now(),
  check (from_day <= until_day),
  check ((rule = 'column') = (date_column is not null)),
  check ((state = 'active') = (next_day is not null) and (next_day is null) = (next_at is null))
);
create unique index repeating_name on repeating (account_id, lower(name));
create index repeating_next on repeating (next_at) where state = 'active';
create index repeating_base on repeating (base_id) where state <> 'ended';

-- What became of a day. The row and its campaign are inserted in one transaction, and there is one
-- row a day: no day is composed twice.
create table repeating_day (
  repeating_id int not null references repeating (id) on delete cascade,
  day date not null,
  outcome text not null check (outcome in ('composed', 'nobody', 'missed', 'failed')),
  campaign_id int references campaign (id),
  rows int, -- How many rows of the contact file were due, where a column says so.
  errors jsonb not null default '[]', -- Why it failed, as compose says it: [{field, code, text}].
  at timestamptz not null,
  primary key (repeating_id, day),
  check ((outcome = 'composed') = (campaign_id is not null))
);
create index repeating_day_campaign on repeating_day (campaign_id) where campaign_id is not null;
