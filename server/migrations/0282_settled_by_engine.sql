-- Calls of all dialers of an engine are settled together: of each account, lines of account_grant
-- are locked from the lowest dialer, here as there; of others than those that ask, what is locked
-- is left.

drop function if exists settle_calls_1;
drop function if exists free_channels_1;

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
create or replace function grant_channels(
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
  unlocked int[];
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
    perform
    from account_grant g
    where g.account_id = one
      and g.dialer_id = any (led)
    order by g.dialer_id
    for no key update;
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
        -- Those that are locked keep theirs until the next time.
        unlocked := array(
          select g.dialer_id
          from account_grant g
          join channel_targets(one, most) t on t.dialer_id = g.dialer_id
          where g.account_id = one and g.granted > t.target
          for no key update of g skip locked
        );
        update account_grant g
        set granted = t.target, served_at = greatest(g.served_at, t.served_at)
        from channel_targets(one, most) t
        where g.account_id = one
          and g.dialer_id = any (unlocked)
          and g.dialer_id = t.dialer_id
          and g.granted > t.target;
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
create or replace function cut_channels() returns trigger language plpgsql as $$
begin
  perform
  from account_grant
  where account_id = new.account_id
    and granted > 0
  order by dialer_id
  for no key update;
  update account_grant set granted = 0 where account_id = new.account_id and granted > 0;
  return null;
end
$$;
