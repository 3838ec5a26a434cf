-- What each dialer may use of accounts’ channels and of operators’ contracts.

-- Channels of accounts by dialer (docs/adr/55). A claim counts its calls in the lines of its own
-- dialer, so that claims of different dialers never wait for each other. granted: how many calls
-- the dialer may have in progress of the account and all below it; in_call: how many it has. When
-- calls end while the dialer was granted fewer, no call takes their place. Of each account, the sum
-- over its dialers of the greater of both is at most its channels as long as any dialer may begin a
-- call. wanted: calls in progress and to begin when the dialer asked last (asked_at). granted_at:
-- when granted last grew. served_at: when a call began last, or when a grant that was not used came
-- to its end.
create table account_grant (
  dialer_id int not null,
  account_id int not null,
  granted int not null default 0 check (granted >= 0),
  in_call int not null default 0 check (in_call >= 0),
  wanted int not null default 0,
  asked_at timestamptz,
  granted_at timestamptz,
  served_at timestamptz,
  primary key (dialer_id, account_id)
) with (fillfactor = 50);
create index account_grant_by_account on account_grant (account_id);

-- Calls in progress of an account and all below it.
create function calls_in_progress(of_account int) returns int language sql stable as $$
  select coalesce(sum(in_call), 0)::int
  from account_grant
  where account_id = of_account
$$;

-- How many calls each dialer should be granted of an account that has so many channels for them.
-- Each dialer that asked or dialled in the last three seconds gets what it wants up to a level that
-- is the same for all. The channels that are left when the level cannot rise for all go to those
-- that were served longest ago; a grant that was not used within its second counts as served. Other
-- dialers get nothing. unmet: room that it needs for that.
create function channel_targets(of_account int, channels int)
returns table (
  dialer_id int,
  granted int,
  in_call int,
  target int,
  served_at timestamptz
)
language sql stable as $$
  with demand as (
    select
      g.dialer_id,
      g.granted,
      g.in_call,
      case
        when greatest(g.asked_at, g.served_at) > now() - interval '3 seconds'
          then greatest(g.wanted, g.in_call)
        else 0
      end as wanted,
      greatest(
        g.served_at,
        case
          when g.granted > g.in_call and g.granted_at < now() - interval '1 second'
            then g.granted_at + interval '1 second'
        end
      ) as served_at
    from account_grant g
    where g.account_id = of_account
  ),
  leveled as (
    select
      *,
      coalesce(
        max(
          greatest(0, (channels - before) / rest)
        ) filter (where before + wanted * rest > channels) over (),
        wanted
      ) as level
    from (
      select
        *,
        sum(wanted) over w - wanted as before,
        count(*) over () - row_number() over w + 1 as rest
      from demand window w as (order by wanted, demand.dialer_id rows unbounded preceding)
    ) d
  ),
  shared as (
    select
      *,
      least(wanted, level)::int as share,
      row_number() over (
        partition by wanted > level order by l.served_at nulls first, l.dialer_id
      ) as turn,
      channels - sum(least(wanted, level)) over () as spare
    from leveled l
  )
  select
    s.dialer_id,
    s.granted,
    s.in_call,
    share + (wanted > level and turn <= spare)::int,
    s.served_at
  from shared s
$$;

-- Grants channels of accounts to dialers, in one transaction. of_dialers, of_epochs: the dialers of
-- an engine. The other arrays say what these ask for, an account and dialer each, in the order of
-- accounts from the highest id, so that an account comes before those above it. ask_more: how many
-- more calls could begin, 0 where only accounts below ask; ask_above: the place in the arrays of
-- the same dialer and the account above, 0: none. Of an account above, a dialer is granted no more
-- than those below it can use there. What the engine's dialers were granted and do not use any more
-- is given back. Locks account_channels by id, then lines of account_grant from the highest
-- account, as claims and settling do, and only of dialers that ask or have to give up something. A
-- commit is not waited for: whatever depends on it is written later and would be lost before it.
-- Answers the lines of the engine's dialers that were asked for or have something. After a cut of
-- an account's channels nothing is granted until its calls fit, since one dialer could put a new
-- call in the place of one of its own.
create function grant_channels(
  of_engine text,
  of_dialers int[],
  of_epochs bigint[],
  ask_dialers int[],
  ask_accounts int[],
  ask_above int[],
  ask_more int[]
)
returns table (
  dialer_id int,
  account_id int,
  free int
)
language plpgsql as $$
#variable_conflict use_column
declare
  led int[];
  idle int[];
  asking int[];
  one int;
  most int;
  room bigint;
  need bigint;
  place int;
  above int;
  usable int;
  more int[] := ask_more;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '1s', true);
  led := array(
    select l.dialer_id
    from dialer_lease l
    join unnest(of_dialers, of_epochs) t (dialer_id, epoch)
      on t.dialer_id = l.dialer_id
      and t.epoch = l.epoch
    where l.engine_id = of_engine and l.expires_at > clock_timestamp()
    order by l.dialer_id
    for share of l
  );
  if cardinality(led) = 0 then
    return;
  end if;
  idle := array(
    select distinct g.account_id
    from account_grant g
    where g.dialer_id = any (led)
      and g.granted > g.in_call
      and coalesce(greatest(g.asked_at, g.served_at) < now() - interval '3 seconds', true)
  );
  insert into account_channels (account_id)
  select distinct unnest(ask_accounts)
  on conflict do nothing;
  perform
  from account_channels h
  where h.account_id = any (ask_accounts || idle)
  order by h.account_id
  for no key update;
  for one in select distinct a from unnest(ask_accounts || idle) a order by a desc loop
    select coalesce(h.channels, 1000000000)
    into most
    from account_channels h
    where h.account_id = one;
    asking := array(
      select ask_dialers[i]
      from generate_subscripts(ask_accounts, 1) i
      where ask_accounts[i] = one and ask_dialers[i] = any (led)
    );
    if one = any (idle) then
      update account_grant g
      set granted = g.in_call
      where g.account_id = one
        and g.dialer_id = any (led)
        and g.dialer_id <> all (asking)
        and g.granted > g.in_call
        and coalesce(greatest(g.asked_at, g.served_at) < now() - interval '3 seconds', true);
    end if;
    if cardinality(asking) > 0 then
      insert into account_grant as g (dialer_id, account_id, wanted, asked_at)
      select ask_dialers[i], one, more[i], now()
      from generate_subscripts(ask_accounts, 1) i
      where ask_accounts[i] = one and ask_dialers[i] = any (led)
      order by 1
      on conflict (dialer_id, account_id) do update
      set wanted = g.in_call + excluded.wanted, asked_at = excluded.asked_at;
      select
        most - sum(greatest(t.granted, t.in_call)),
        sum(greatest(0, t.target - greatest(t.granted, t.in_call))) filter (
          where t.dialer_id = any (asking) or t.in_call + t.granted = 0
        )
      into room, need
      from channel_targets(one, most) t;
      if need > room then
        update account_grant g
        set granted = t.target, served_at = greatest(g.served_at, t.served_at)
        from channel_targets(one, most) t
        where g.account_id = one and g.dialer_id = t.dialer_id and g.granted > t.target;
      end if;
      -- A statement of its own, since it must see what the calls are that began before the cut.
      -- Nothing while the calls exceed the channels: a dialer could put a
      -- new call in the place of one of its own.
      update account_grant g
      set granted = least(r.target, r.has + greatest(0, r.room - r.before)), granted_at = now()
      from (
        select
          t.dialer_id,
          t.target,
          t.granted,
          greatest(t.granted, t.in_call) as has,
          t.dialer_id = any (asking) and t.target > t.granted as rises,
          most - sum(greatest(t.granted, t.in_call)) over () as room,
          coalesce(
            sum(
              case
                when t.dialer_id = any (asking) or t.in_call + t.granted = 0
                  then greatest(0, t.target - greatest(t.granted, t.in_call))
              end
            )
              -- a dialer without a call asks soon
              over (
                order by t.served_at nulls first, t.dialer_id
                rows between unbounded preceding and 1 preceding
              ),
            0
          ) as before
        from channel_targets(one, most) t
      ) r
      where g.account_id = one
        and g.dialer_id = r.dialer_id
        and r.room >= 0
        and r.rises
        and least(r.target, r.has + greatest(0, r.room - r.before)) > g.granted;
    end if;
    for place, above, usable in
      select i, ask_above[i], greatest(0, least(more[i], g.granted - g.in_call))
      from generate_subscripts(ask_accounts, 1) i
      join account_grant g on g.dialer_id = ask_dialers[i] and g.account_id = one
      where ask_accounts[i] = one and ask_above[i] > 0
    loop
      more[above] := more[above] + usable;
    end loop;
  end loop;
  return query
    select g.dialer_id, g.account_id, greatest(0, g.granted - g.in_call)
    from account_grant g
    where g.dialer_id = any (led) and (g.granted > 0 or g.account_id = any (ask_accounts));
end
$$;

-- An account that loses channels takes back what its dialers were granted, in the same transaction:
-- they ask again at once, and no call begins until its calls fit again.
create function cut_channels() returns trigger language plpgsql as $$
begin
  update account_grant set granted = 0 where account_id = new.account_id and granted > 0;
  return null;
end
$$;
create trigger account_channels_cut after update of channels on account_channels
  for each row when (
    new.channels is not null
    and (old.channels is null or new.channels < old.channels)
  )
  execute function cut_channels();

-- What of a contract each dialer may use. channels, cps: granted; a call takes a channel until it
-- is over, and one of the calls per second for a second. legs, begun: how many of both were in use
-- when the dialer asked last (asked_at), which its engine does not exceed before it has the answer.
-- Only a question of its own changes what a dialer has, so no engine is ever behind the database:
-- over all dialers, the sum of the greater of granted and in use is at most what the contract has.
-- channels_wanted, cps_wanted: in use and more. epoch: of the lease that asked; it ends with that.
-- open_at: since when a call could begin and none did. served_at: when one did, or when what was
-- not used for a second went behind the others. rests_until: the holder before may have begun calls
-- in the last second.
create table contract_grant (
  contract_id int not null,
  dialer_id int not null,
  epoch bigint not null,
  channels int not null default 0 check (channels >= 0),
  legs int not null check (legs >= 0),
  channels_wanted int not null,
  cps int not null default 0 check (cps >= 0),
  begun int not null check (begun >= 0),
  cps_wanted int not null,
  asked_at timestamptz not null,
  open_at timestamptz,
  served_at timestamptz,
  rests_until timestamptz,
  primary key (contract_id, dialer_id)
) with (fillfactor = 50);

-- What is taken of a contract, and wanted, by dialer. An engine counts its calls itself: an outcome
-- that is not written yet frees its channel already. What no living lease holds is free, but for
-- calls that are open in the database, as many as could be in progress: the next engine takes them
-- over before it asks.
create function contract_use(of_contract int)
returns table (
  dialer_id int,
  legs int,
  channels int,
  channels_taken int,
  channels_wanted int,
  begun int,
  cps int,
  cps_taken int,
  cps_wanted int,
  served_at timestamptz
)
language sql stable as $$
  with own as (
    select distinct t.dialer_id
    from trunk t
    where t.contract_id = of_contract and t.deleted_at is null
  ),
  open as (
    select u.dialer_id, sum(u.n)::int as n
    from (
      select o.dialer_id, count(*) + count(o.agent) as n
      from attempt_open o
      join trunk t on t.id = o.trunk_id and t.contract_id = of_contract
      group by 1
      union all
      select x.dialer_id, count(*)
      from trunk_test x
      join trunk t on t.id = x.trunk_id and t.contract_id = of_contract
      where x.kind = 'call' and x.ended_at is null and x.taken_at > now() - interval '3 minutes'
      group by 1
    ) u
    group by 1
  ),
  seen as (
    select
      d.dialer_id,
      coalesce(o.n, 0) as open,
      g.channels,
      g.legs,
      g.channels_wanted,
      g.cps,
      g.begun,
      g.cps_wanted,
      g.served_at,
      coalesce(
        l.epoch = g.epoch and l.expires_at > clock_timestamp() - interval '1 second', false
      ) as is_held,
      coalesce(g.asked_at > now() - interval '3 seconds', false) as is_lately
    from (
      select own.dialer_id
      from own
      union
      select open.dialer_id
      from open
      union
      select c.dialer_id
      from contract_grant c
      where c.contract_id = of_contract
    ) d
    left join open o on o.dialer_id = d.dialer_id
    left join contract_grant g on g.contract_id = of_contract and g.dialer_id = d.dialer_id
    left join dialer_lease l on l.dialer_id = d.dialer_id
  ),
  taken as (
    select
      *,
      case
        when is_held then greatest(s.channels, s.legs)
        else least(open, greatest(s.channels, s.legs))
      end as channels_taken,
      case when is_held or is_lately then greatest(s.cps, s.begun, 0) else 0 end as cps_taken
    from seen s
  )
  select
    t.dialer_id,
    case when is_held then t.legs else open end,
    case when is_held then t.channels else 0 end,
    t.channels_taken,
    case
      when is_held and is_lately then greatest(t.channels_wanted, t.legs)
      when is_held then t.legs
      else open
    end,
    case when is_held then t.begun else 0 end,
    case when is_held then t.cps else 0 end,
    t.cps_taken,
    case
      when is_held and is_lately then greatest(t.cps_wanted, t.begun)
      else 0
    end,
    t.served_at
  from taken t
$$;

-- So many are shared among those who want so many, in this order: each gets what it wants up to a
-- level that is the same for all, and what is left when the level cannot rise for all goes to the
-- first of them.
create function fair_shares(have int, wanted int[]) returns int[] language plpgsql immutable as $$
declare
  shares int[] := array_fill(0, array[cardinality(wanted)]);
  rest int := have;
  open int;
  step int;
  part int;
begin
  loop
    select count(*) into open from unnest(shares, wanted) s (share, want) where share < want;
    exit when open = 0 or rest <= 0;
    step := greatest(1, rest / open);
    for i in 1 .. cardinality(wanted) loop
      part := greatest(0, least(step, wanted[i] - shares[i], rest));
      shares[i] := shares[i] + part;
      rest := rest - part;
    end loop;
  end loop;
  return shares;
end
$$;

-- Grants what contracts have to dialers of one engine, in one transaction. The arrays from
-- ask_dialers on say, of a dialer and a contract each, what is in use and how much is wanted; a
-- dialer names all contracts of its trunks, and gives back the others. Locks leases by dialer, then
-- contracts by id. Unlike channels of accounts, a grant is on disk before it is used: an engine
-- that has it in memory outlives a crash of the database.
create function grant_contracts(
  of_engine text,
  of_dialers int[],
  of_epochs bigint[],
  ask_dialers int[],
  ask_contracts int[],
  ask_legs int[],
  ask_channels int[],
  ask_begun int[],
  ask_cps int[]
)
returns table (
  dialer_id int,
  contract_id int,
  channels int,
  cps int,
  channels_taken int,
  cps_taken int
)
language plpgsql as $$
#variable_conflict use_column
declare
  led int[];
  one record;
  ids int[];
  legs int[];
  begun int[];
  channels_taken int[];
  cps_taken int[];
  channel_shares int[];
  cps_shares int[];
  more int;
  faster int;
begin
  perform set_config('lock_timeout', '1s', true);
  led := array(
    select l.dialer_id
    from dialer_lease l
    join unnest(of_dialers, of_epochs) t (dialer_id, epoch)
      on t.dialer_id = l.dialer_id
      and t.epoch = l.epoch
    where l.engine_id = of_engine and l.expires_at > clock_timestamp()
    order by l.dialer_id
    for share of l
  );
  if cardinality(led) = 0 then
    return;
  end if;
  perform
  from operator_contract c
  where c.id = any (ask_contracts)
    or c.id in (select g.contract_id from contract_grant g where g.dialer_id = any (led))
  order by c.id
  for no key update;
  delete from contract_grant g
  where g.dialer_id = any (led)
    and not exists (
      select
      from unnest(ask_dialers, ask_contracts) a (dialer_id, contract_id)
      where a.dialer_id = g.dialer_id and a.contract_id = g.contract_id
    );
  for one in
    select c.id, c.channels, c.cps
    from operator_contract c
    where c.id = any (ask_contracts) and c.deleted_at is null
    order by c.id
  loop
    insert into contract_grant as g (
      contract_id, dialer_id, epoch, legs, channels_wanted, begun, cps_wanted, asked_at, served_at
    )
    select
      one.id,
      a.dialer_id,
      l.epoch,
      a.legs,
      a.channels,
      a.begun,
      a.cps,
      now(),
      case when a.begun > 0 then now() end
    from unnest(
      ask_dialers, ask_contracts, ask_legs, ask_channels, ask_begun, ask_cps
    ) a (dialer_id, contract_id, legs, channels, begun, cps)
    join dialer_lease l on l.dialer_id = a.dialer_id
    where a.contract_id = one.id and a.dialer_id = any (led)
    order by a.dialer_id
    on conflict (contract_id, dialer_id) do update
    set
      epoch = excluded.epoch,
      legs = excluded.legs,
      channels_wanted = excluded.channels_wanted,
      begun = excluded.begun,
      cps_wanted = excluded.cps_wanted,
      asked_at = excluded.asked_at,
      channels = case when g.epoch = excluded.epoch then g.channels else 0 end,
      cps = case when g.epoch = excluded.epoch then g.cps else 0 end,
      rests_until = case
        when g.epoch = excluded.epoch then g.rests_until
        when g.asked_at > now() - interval '1 second' then g.asked_at + interval '1 second'
      end,
      served_at = case
        when excluded.begun > 0 or g.open_at < now() - interval '1 second' then now()
        else g.served_at
      end,
      open_at = case
        when excluded.begun > 0 or g.open_at < now() - interval '1 second' then null
        else g.open_at
      end;
    select
      array_agg(u.dialer_id order by u.served_at nulls first, u.dialer_id),
      array_agg(u.legs order by u.served_at nulls first, u.dialer_id),
      array_agg(u.begun order by u.served_at nulls first, u.dialer_id),
      array_agg(u.channels_taken order by u.served_at nulls first, u.dialer_id),
      array_agg(u.cps_taken order by u.served_at nulls first, u.dialer_id),
      fair_shares(
        one.channels, array_agg(u.channels_wanted order by u.served_at nulls first, u.dialer_id)
      ),
      fair_shares(one.cps, array_agg(u.cps_wanted order by u.served_at nulls first, u.dialer_id))
    into ids, legs, begun, channels_taken, cps_taken, channel_shares, cps_shares
    from contract_use(one.id) u;
    for i in 1 .. coalesce(cardinality(ids), 0) loop
      continue when ids[i] <> all (led) or not exists (
        select from unnest(ask_dialers, ask_contracts) a (d, c) where a.d = ids[i] and a.c = one.id
      );
      more := greatest(
        0,
        least(
          channel_shares[i],
          one.channels - (select sum(n) from unnest(channels_taken) n) + channels_taken[i]
        )
      );
      faster := greatest(
        0, least(cps_shares[i], one.cps - (select sum(n) from unnest(cps_taken) n) + cps_taken[i])
      );
      update contract_grant g
      set
        channels = more,
        cps = case when g.rests_until > now() then 0 else faster end,
        open_at = case when more > g.legs and faster > g.begun then coalesce(g.open_at, now()) end
      where g.contract_id = one.id and g.dialer_id = ids[i]
      returning g.cps
      into faster;
      channels_taken[i] := greatest(more, legs[i]);
      cps_taken[i] := greatest(faster, begun[i]);
    end loop;
    return query
      select
        g.dialer_id,
        one.id,
        g.channels,
        g.cps,
        (select sum(n)::int from unnest(channels_taken) n),
        (select sum(n)::int from unnest(cps_taken) n)
      from contract_grant g
      where g.contract_id = one.id and g.dialer_id = any (led);
  end loop;
end
$$;

create function contract_cut() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end
$$;
create trigger operator_contract_cut before update of channels, cps on operator_contract
  for each row when (new.channels < old.channels or new.cps < old.cps)
  execute function contract_cut();

create function contract_joined() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.contract_id is not distinct from new.contract_id then
    return null;
  end if;
  update operator_contract set changed_at = now() where id = new.contract_id;
  return null;
end
$$;
create trigger trunk_joins_contract after insert or update of contract_id on trunk
  for each row when (new.contract_id is not null)
  execute function contract_joined();
