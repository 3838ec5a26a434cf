-- Channels of accounts by dialer (docs/adr/55). A claim counts its calls in the lines of its own dialer, so that claims of different dialers never wait for
-- each other. granted: how many calls the dialer may have in progress of the account and all below it; in_call: how many it has. When calls end while the
-- dialer was granted fewer, no call takes their place. Of each account, the sum over its dialers of the greater of both is at most its channels as long as
-- any dialer may begin a call.
-- wanted: calls in progress and to begin when the dialer asked last (asked_at). granted_at: when granted last grew. served_at: when a call began last, or when
-- a grant that was not used came to its end.
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

-- Whether its call is counted in account_grant. Calls of an engine of the release before are counted in account_channels.in_call, as they were. That counter
-- is never less than all calls in progress of the account, and has what is granted too, so that such an engine leaves room for what other dialers may begin.
alter table attempt_open add granted boolean not null default false;
create index attempt_open_not_granted on attempt_open (campaign_id) where not granted;

-- Calls of engines of the release before, of an account and all below it.
create function calls_not_granted(of_account int) returns int language sql stable as $$
  select count(*)::int from attempt_open o join campaign_level l on l.campaign_id = o.campaign_id and l.payer_id = of_account where not o.granted
$$;

-- Calls in progress of an account and all below it.
create function calls_in_progress(of_account int) returns int language sql stable as $$
  select coalesce(sum(in_call), 0)::int + calls_not_granted(of_account) from account_grant where account_id = of_account
$$;

-- How many calls each dialer should be granted of an account that has so many channels for them. Each dialer that asked or dialled in the last three seconds
-- gets what it wants up to a level that is the same for all. The channels that are left when the level cannot rise for all go to those that were served
-- longest ago; a grant that was not used within its second counts as served. Other dialers get nothing. unmet: room that it needs for that.
create function channel_targets(of_account int, channels int)
returns table (dialer_id int, granted int, in_call int, target int, served_at timestamptz) language sql stable as $$
  with demand as (
    select g.dialer_id, g.granted, g.in_call,
      case when greatest(g.asked_at, g.served_at) > now() - interval '3 seconds' then greatest(g.wanted, g.in_call) else 0 end as wanted,
      greatest(g.served_at, case when g.granted > g.in_call and g.granted_at < now() - interval '1 second' then g.granted_at + interval '1 second' end) as served_at
    from account_grant g where g.account_id = of_account
  ), leveled as (
    select *, coalesce(max(greatest(0, (channels - before) / rest)) filter (where before + wanted * rest > channels) over (), wanted) as level
    from (select *, sum(wanted) over w - wanted as before, count(*) over () - row_number() over w + 1 as rest from demand window w as (order by wanted, demand.dialer_id rows unbounded preceding)) d
  ), shared as (
    select *, least(wanted, level)::int as share, row_number() over (partition by wanted > level order by l.served_at nulls first, l.dialer_id) as turn,
      channels - sum(least(wanted, level)) over () as spare
    from leveled l
  )
  select s.dialer_id, s.granted, s.in_call, share + (wanted > level and turn <= spare)::int, s.served_at from shared s
$$;

-- Grants channels of accounts to dialers, in one transaction. of_dialers, of_epochs: the dialers of an engine. The other arrays say what these ask for, an
-- account and dialer each, in the order of accounts from the highest id, so that an account comes before those above it. ask_more: how many more calls could
-- begin, 0 where only accounts below ask; ask_above: the place in the arrays of the same dialer and the account above, 0: none. Of an account above, a
-- dialer is granted no more than those below it can use there. What the engine's dialers were granted and do not use any more is given back.
-- Locks account_channels by id, then lines of account_grant from the highest account, as claims and settling do, and only of dialers that ask or have to give
-- up something. A commit is not waited for: whatever depends on it is written later and would be lost before it.
-- Answers the lines of the engine's dialers that were asked for or have something.
create function grant_channels(of_engine text, of_dialers int[], of_epochs bigint[], ask_dialers int[], ask_accounts int[], ask_above int[], ask_more int[])
returns table (dialer_id int, account_id int, free int) language plpgsql as $$
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
  led := array(select l.dialer_id from dialer_lease l join unnest(of_dialers, of_epochs) t (dialer_id, epoch) on t.dialer_id = l.dialer_id and t.epoch = l.epoch
    where l.engine_id = of_engine and l.expires_at > clock_timestamp() order by l.dialer_id for share of l);
  if cardinality(led) = 0 then return; end if;
  idle := array(select distinct g.account_id from account_grant g where g.dialer_id = any (led) and g.granted > g.in_call
    and coalesce(greatest(g.asked_at, g.served_at) < now() - interval '3 seconds', true));
  insert into account_channels (account_id) select distinct unnest(ask_accounts) on conflict do nothing;
  perform from account_channels h where h.account_id = any (ask_accounts || idle) order by h.account_id for no key update;
  for one in select distinct a from unnest(ask_accounts || idle) a order by a desc loop
    select coalesce(h.channels, 1000000000) - calls_not_granted(one) into most from account_channels h where h.account_id = one;
    asking := array(select ask_dialers[i] from generate_subscripts(ask_accounts, 1) i where ask_accounts[i] = one and ask_dialers[i] = any (led));
    if one = any (idle) then
      update account_grant g set granted = g.in_call where g.account_id = one and g.dialer_id = any (led) and g.dialer_id <> all (asking) and g.granted > g.in_call
        and coalesce(greatest(g.asked_at, g.served_at) < now() - interval '3 seconds', true);
    end if;
    if cardinality(asking) > 0 then
      insert into account_grant as g (dialer_id, account_id, wanted, asked_at)
      select ask_dialers[i], one, more[i], now() from generate_subscripts(ask_accounts, 1) i where ask_accounts[i] = one and ask_dialers[i] = any (led) order by 1
      on conflict (dialer_id, account_id) do update set wanted = g.in_call + excluded.wanted, asked_at = excluded.asked_at;
      select most - sum(greatest(t.granted, t.in_call)), sum(greatest(0, t.target - greatest(t.granted, t.in_call))) filter (where t.dialer_id = any (asking) or t.in_call + t.granted = 0)
        into room, need from channel_targets(one, most) t;
      if need > room then
        update account_grant g set granted = t.target, served_at = greatest(g.served_at, t.served_at) from channel_targets(one, most) t
        where g.account_id = one and g.dialer_id = t.dialer_id and g.granted > t.target;
      end if;
      -- A statement of its own, since it must see what the calls are that began before the cut.
      update account_grant g set granted = least(r.target, r.has + greatest(0, r.room - r.before)), granted_at = now()
      from (
        select t.dialer_id, t.target, t.granted, greatest(t.granted, t.in_call) as has, t.dialer_id = any (asking) and t.target > t.granted as rises,
          most - sum(greatest(t.granted, t.in_call)) over () as room,
          coalesce(sum(case when t.dialer_id = any (asking) or t.in_call + t.granted = 0 then greatest(0, t.target - greatest(t.granted, t.in_call)) end) -- a dialer without a call asks soon
            over (order by t.served_at nulls first, t.dialer_id rows between unbounded preceding and 1 preceding), 0) as before
        from channel_targets(one, most) t
      ) r
      where g.account_id = one and g.dialer_id = r.dialer_id and r.rises and least(r.target, r.has + greatest(0, r.room - r.before)) > g.granted;
    end if;
    update account_channels h set in_call = s.calls from (
      select coalesce(sum(greatest(g.granted, g.in_call)), 0)::int + calls_not_granted(one) as calls from account_grant g where g.account_id = one
    ) s where h.account_id = one and h.in_call <> s.calls;
    for place, above, usable in
      select i, ask_above[i], greatest(0, least(more[i], g.granted - g.in_call)) from generate_subscripts(ask_accounts, 1) i
      join account_grant g on g.dialer_id = ask_dialers[i] and g.account_id = one where ask_accounts[i] = one and ask_above[i] > 0
    loop
      more[above] := more[above] + usable;
    end loop;
  end loop;
  return query select g.dialer_id, g.account_id, greatest(0, g.granted - g.in_call) from account_grant g
    where g.dialer_id = any (led) and (g.granted > 0 or g.account_id = any (ask_accounts));
end $$;

-- An account that loses channels takes back what its dialers were granted, in the same transaction: they ask again at once, and no call begins until its calls
-- fit again.
create function cut_channels() returns trigger language plpgsql as $$
begin
  update account_grant set granted = 0 where account_id = new.account_id and granted > 0;
  return null;
end $$;
create trigger account_channels_cut after update of channels on account_channels for each row
  when (new.channels is not null and (old.channels is null or new.channels < old.channels)) execute function cut_channels();
