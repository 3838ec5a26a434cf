-- Calls, and how often a number was called. voice/**/*.sql.ts owns them.

create sequence batch_id;

-- Attempts say by themselves whose they are and which way they went, so that calls of many
-- campaigns are one list.
create type attempt_kind as enum ('campaign', 'test', 'callNow');

create table attempt_open (
  id bigint generated always as identity primary key,
  dialer_id int not null,
  epoch bigint not null,
  campaign_id int not null,
  no int not null,
  attempt_no smallint not null,
  from_state row_state not null,
  account_id int not null,
  phone bigint not null,
  reserved_paisa bigint not null,
  -- later than the end of any attempt that the claim saw
  started_at timestamptz not null default clock_timestamp(),
  -- The agent's number while the agent's leg is up, so that number_use can be filled again.
  agent bigint,
  message_paisa bigint not null default 0,
  trunk_id int,
  cli_id int,
  operator smallint,
  kind attempt_kind,
  -- Of Call Now: the customer's telephone was, or is about to be, rung. Written before it is, so
  -- that whoever takes the call over does not ring it again.
  customer_called boolean not null default false,
  -- A call whose trunk is at fault before anything rings goes on over the next trunk of its route,
  -- as the same attempt (docs/adr/50). tried: the trunks before the present one, in order; null:
  -- none. How many they are is part of the channel's name (dispatch/channel-names.ts).
  tried int[],
  stream smallint not null default 0, -- Where the row of a call goes back to.
  -- Agents who were rung in this call and did not talk for long enough: a number for each leg that
  -- counts towards the platform's cap of its day. number_use and number_use_others count them as
  -- calls of account 0, which is nobody's.
  agents_counted bigint[]
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- What must survive the engine while a call is up: when it was answered and where in the flow it
-- is. A row per answered call.
create table attempt_step (
  attempt_id bigint primary key,
  answered_at timestamptz not null,
  state json not null,
  keys text not null default '',
  agent text
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- What a dialer that came back proved of an attempt that had been booked as LOST: how long it
-- talked; null: nobody answered. A note: no money follows.
create table attempt_proof (
  attempt_id bigint primary key,
  at timestamptz not null default now(),
  talk_ms int check (talk_ms >= 0)
);
revoke update, delete on attempt_proof from ghanti_app;

create type call_ender as enum ('customer', 'network', 'us');

-- Why an attempt whose caller asked for an agent has no conversation: none was free (in another
-- call, or no channel), the agent did not answer, or no money was left for the leg. Null: the agent
-- was talked to, or nobody asked for one.
create type agent_missed as enum (
  'noChannel',
  'notFree',
  'notReached',
  'noMoney',
  'blacklisted',
  'calledOften',
  'busy'
);

create table attempt (
  id bigint primary key,
  batch_id bigint, -- the transfers of this batch paid for it
  started_at timestamptz not null,
  answered_at timestamptz,
  ended_at timestamptz not null, -- by the dialer's own clock
  claimed_at timestamptz not null,
  -- by the database's: the row was this call's in between
  settled_at timestamptz not null default now(),
  phone bigint not null,
  epoch bigint not null,
  cost_paisa bigint not null,
  uncollected_paisa bigint not null, -- of the user: paid, and above the reservation
  campaign_id int not null,
  no int not null,
  pulses int not null,
  bill_ms int,
  patch_bill_ms int, -- null: that leg was not answered
  attempt_no smallint not null,
  disposition disposition not null,
  sip_status smallint,
  q850_cause smallint,
  ended_by call_ender,
  keys text,
  agent text,
  recording uuid,
  -- A prompt failed after the answer: the call was ended by us and is not charged.
  unheard boolean not null default false,
  -- What became of an answered call, in words that callflow/src/trail.ts writes; null: not
  -- answered.
  trail text,
  agent_missed agent_missed,
  alerted boolean, -- Its telephone rang, whatever became of the call
  -- Of the campaign and its call. operator: of the number called (contract/src/operators.ts).
  -- alerted_at: when its telephone first rang or gave early media, by the dialer's clock; null: it
  -- did not, or nobody saw when.
  account_id int,
  trunk_id int,
  cli_id int,
  operator smallint,
  kind attempt_kind,
  alerted_at timestamptz,
  tried int[],
  agents_counted bigint[],
  check ((disposition = 'ANSWER') = (bill_ms is not null)),
  check (bill_ms >= 0 and patch_bill_ms >= 0)
) partition by range (id);
-- The attempts of one outcome, however few of a campaign's million ended so.
create index attempt_disposition on attempt (campaign_id, disposition, id);
create index attempt_account on attempt (account_id, id);
create index attempt_agent on attempt (agent, id) where agent is not null;
create index attempt_number on attempt ((phone % 10000), account_id, phone, id);
create index on attempt (campaign_id, id);
revoke update, delete on attempt from ghanti_app;
select make_partitions('attempt', 0, 10000000, 2);

-- An outcome that no batch can take, with its error. Its attempt stays open until it is told again
-- or closed as LOST.
create table outcome_parked (
  attempt_id bigint primary key,
  error text not null,
  outcome jsonb not null,
  at timestamptz not null default now()
);

-- Row (0, 0) says that both tables are filled: a crash empties them, and so does the promotion of a
-- standby. Without it no call begins, until an engine has called rebuild_numbers(). The calls of a
-- batch end on the page on which they began: both versions of each row must fit, then no index is
-- written.
create unlogged table number_use (
  phone bigint primary key,
  -- who calls it: of attempt_open, whose customer or agent it is; -id of trunk_test; null: nobody
  attempt_id bigint,
  day date,
  account_id int,
  tried int not null default 0,
  -- what counts against caps, of the first account on that day of Nepal's
  answered int not null default 0,
  others boolean not null default false -- number_use_others has more of that day
) with (fillfactor = 45);

-- What counts of further accounts that called a number on the same day.
create unlogged table number_use_others (
  phone bigint not null,
  account_id int not null,
  day date not null,
  tried int not null,
  answered int not null,
  primary key (phone, account_id)
) with (fillfactor = 70);

-- Of all accounts.
create view number_day as
  select phone, account_id, day, tried, answered from number_use where tried > 0 union all
  select phone, account_id, day, tried, answered from number_use_others;

-- What somebody's telephone took notice of counts; what came to nothing on the way does not
-- (docs/design.md).
create function counts_for_day(disposition disposition, alerted boolean)
returns boolean immutable parallel safe
language sql
  return
    coalesce(alerted, false) or disposition in ('ANSWER', 'NO ANSWER', 'BUSY', 'REJECTED', 'LOST');

-- Fills both tables from what is logged, where they are not filled. False: they are, or somebody
-- else is at it. Whoever writes to them waits meanwhile, at the very beginning of the statement,
-- holding nothing: so each call counts once, either here or when it ends. Attempts are numbered as
-- they are claimed, so those of a day are the last ones: their beginning is looked for from the
-- end. Agents' legs count on the day on which they were settled. Calls of deleted campaigns have no
-- number any more.
create function rebuild_numbers() returns boolean language plpgsql as $$
declare
  today date := nepal_day(now());
  since timestamptz := nepal_midnight(today);
  lo bigint;
begin
  if exists (select from number_use where phone = 0)
    or not pg_try_advisory_xact_lock(hashtext('rebuild_numbers'))
  then
    return false;
  end if;
  lock table number_use, number_use_others in exclusive mode;
  if exists (select from number_use where phone = 0) then
    return false;
  end if;
  delete from number_use;
  delete from number_use_others;
  insert into number_use (phone, attempt_id)
  select phone, id
  from attempt_open
  union all
  select agent, id
  from attempt_open
  where agent is not null
  union all
  select phone, -id
  from trunk_test
  where phone is not null and taken_at > now() - interval '3 minutes' and ended_at is null
  on conflict do nothing;
  select max(id) into lo from attempt;
  while lo is not null
    and (select claimed_at from attempt where id = lo) >= since - interval '1 hour'
  loop
    exit when not exists (select from attempt where id < lo);
    select min(id)
    into lo
    from (select id from attempt where id < lo order by id desc limit 100000) part;
  end loop;
  with days as (
    select
      a.phone,
      c.account_id,
      count(*) as tried,
      count(*) filter (where a.disposition = 'ANSWER') as answered
    from attempt a
    join campaign c on c.id = a.campaign_id
    where a.id >= lo
      and a.claimed_at >= since
      and a.phone <> 0
      and counts_for_day(a.disposition, a.alerted)
    group by a.phone, c.account_id
    union all
    select agent, 0, count(*), 0
    from (
      select unnest(agents_counted) as agent
      from attempt
      where id >= lo and settled_at >= since and agents_counted is not null
      union all
      select unnest(agents_counted)
      from attempt_open
    ) legs
    group by agent
  ),
  ranked as (
    select
      *,
      row_number() over (partition by phone order by account_id) as place,
      count(*) over (partition by phone) as accounts
    from days
  ),
  first as (
    insert into number_use as n (phone, day, account_id, tried, answered, others)
    select phone, today, account_id, tried, answered, accounts > 1
    from ranked
    where place = 1
    on conflict (phone) do update
    set
      day = excluded.day,
      account_id = excluded.account_id,
      tried = excluded.tried,
      answered = excluded.answered,
      others = excluded.others
  )
  insert into number_use_others
  select phone, account_id, today, tried, answered
  from ranked
  where place > 1;
  insert into number_use (phone, attempt_id) values (0, 0);
  return true;
end
$$;
select rebuild_numbers();

-- SIP messages of calls and trunk tests, for tickets to operators: the last of each dialer
-- (docs/adr/40). Written by the engine that holds the dialer, which also removes what is over the
-- limit; housekeeping removes what is older than two weeks. Secrets are not in them, numbers are.
create table sip_trace (
  id bigint generated always as identity primary key,
  dialer_id int not null references dialer,
  trunk_id int not null references trunk,
  attempt_id bigint, -- null: a trunk's test
  test_id bigint, -- of trunk_test
  campaign_id int references campaign, -- of the attempt
  at timestamptz not null, -- of the first message
  messages jsonb not null, -- [{at, sent, transport, dialer, peer, text}]
  check ((attempt_id is null) <> (test_id is null) and (attempt_id is null) = (campaign_id is null))
);
create index sip_trace_dialer on sip_trace (dialer_id, id);
create unique index sip_trace_test on sip_trace (test_id) where test_id is not null;
create index sip_trace_campaign on sip_trace (campaign_id) where campaign_id is not null;
create index sip_trace_at on sip_trace (at);
create unique index sip_trace_attempt on sip_trace (attempt_id, trunk_id)
  where attempt_id is not null;
