-- Where an account is told what happens. The address and the secret that signs are sealed; of the
-- address only the host is shown. Without an address its events are read by a program (GET
-- /api/v1/events). While a secret is exchanged, the one before signs too. failing_since: of the
-- first delivery that failed since the last that arrived. After a restore all are paused, as keys.
create type hook_state as enum ('unverified', 'active', 'resting', 'off');

create table hook (
  id int generated always as identity primary key,
  user_id int not null references users,
  host text,
  url_sealed text,
  secret_sealed text,
  before_sealed text,
  before_until timestamptz,
  events text[] not null check (cardinality(events) > 0),
  state hook_state not null,
  reason text, -- of resting and off, in words for a person
  is_paused boolean not null default false,
  failures int not null default 0, -- in a row
  failing_since timestamptz,
  rest_until timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null,
  constraint hook_address check (num_nulls(host, url_sealed, secret_sealed) in (0, 3)),
  constraint hook_before check ((before_sealed is null) = (before_until is null))
);
create index hook_user on hook (user_id, id);

-- What happened, as the transaction in which it happens leaves it. Only for accounts with a hook
-- that wants it.
create table hook_news (
  no bigint generated always as identity primary key,
  user_id int not null,
  type text not null,
  at timestamptz not null default clock_timestamp(),
  of_messages boolean not null default false, -- the campaign is one of messages
  campaign_id int,
  ids bigint[] not null default '{}', -- calls, rows of messages, or what else it is about
  state text -- of a campaign
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- An event: ids only, so that nothing of a deleted campaign is kept here. One process at a time
-- makes them of the news, so that readers see them in the order of their ids. `key` is their name
-- outside, which no restore gives to another.
create table hook_event (
  id bigint generated always as identity primary key,
  key uuid not null default gen_random_uuid(),
  user_id int not null,
  type text not null,
  at timestamptz not null,
  of_messages boolean not null,
  campaign_id int,
  ids bigint[] not null,
  state text
);
create index hook_event_user on hook_event (user_id, id);
create index hook_event_at on hook_event (at);

create type hook_delivery_state as enum ('waiting', 'delivered', 'failed');

-- An event on its way to a hook. While it is sent, due_at is when it is taken for lost.
create table hook_delivery (
  id bigint generated always as identity primary key,
  hook_id int not null references hook on delete cascade,
  event_id bigint not null references hook_event on delete cascade,
  is_test boolean not null default false,
  state hook_delivery_state not null default 'waiting',
  tries smallint not null default 0,
  due_at timestamptz not null default now(),
  tried_at timestamptz,
  status smallint, -- of the last answer
  ms int,
  reason text, -- why the last try failed, in words for a person
  unique (event_id, hook_id)
) with (fillfactor = 70);
create index hook_delivery_due on hook_delivery (hook_id, is_test, due_at) where state = 'waiting';
create index hook_delivery_list on hook_delivery (hook_id, id);
create index hook_delivery_failed on hook_delivery (hook_id, event_id) where state = 'failed';

create function hooks_want(account int, what text) returns boolean stable language sql as $$
  select
    exists (
      select
      from hook
      where user_id = account and what = any (events) and state in ('active', 'resting')
    )
$$;

-- Makes events of the news, so many at most, of a hundred calls or messages each, and their
-- deliveries. Answers how many they were; 0 too when another process is at it.
create function make_hook_events(wanted int) returns int language plpgsql as $$
declare
  taken int;
begin
  if not pg_try_advisory_xact_lock(hashtext('hook_event')) then
    return 0;
  end if;
  with gone as (
    delete from hook_news
    where no = any (array(select no from hook_news order by no limit wanted))
    returning *
  ),
  made as (
    insert into hook_event (user_id, type, at, of_messages, campaign_id, ids, state)
    select user_id, type, at, of_messages, campaign_id, ids[first:first + 99], state
    from gone
    cross join generate_series(1, greatest(1, cardinality(ids)), 100) first
    order by no, first
    returning id, user_id, type
  ),
  sent as (
    insert into hook_delivery (hook_id, event_id)
    select h.id, m.id
    from made m
    join hook h
      on h.user_id = m.user_id
      and m.type = any (h.events)
      and h.state in ('active', 'resting')
      and h.url_sealed is not null
    order by m.id, h.id
  )
  select count(*)
  into taken
  from gone;
  return taken;
end
$$;
