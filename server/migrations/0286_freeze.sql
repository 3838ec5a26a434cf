-- A frozen account is a disabled account of which these columns say more: by whom, when, why, and
-- whether its calls end. Null: by the operator, with a command on the server.
alter table users
  add column frozen_at timestamptz,
  add column frozen_by int references users,
  add column frozen_reason text,
  add column frozen_ends_calls boolean,
  -- Freezing disabled it: lifting enables it again. What was disabled before stays disabled.
  add column frozen_disables boolean,
  add constraint users_frozen check (
    case
      when frozen_at is null
        then num_nonnulls(frozen_by, frozen_reason, frozen_ends_calls, frozen_disables) = 0
      else
        num_nonnulls(frozen_reason, frozen_ends_calls, frozen_disables) = 3
        and disabled_at is not null
        and role <> 'superAdmin'
    end
  );
create index users_frozen on users (id) where frozen_at is not null;

-- Whether an account of the path is frozen, for whatever locks the money: a claim that waited for
-- the account reads its row again, and nothing else. Kept by whoever freezes and lifts, under the
-- locks of all accounts below.
alter table account add column frozen boolean not null default false;

-- The nearest frozen account of a path; none: nothing is frozen. Whether calls end may be said by
-- one above it.
create function account_frozen_by(of_path int[])
returns table (
  freezer_id int,
  freezer text,
  frozen_at timestamptz
)
language sql stable parallel safe rows 1 as $$
  select u.id, u.username, u.frozen_at
  from users u
  where u.id = any (of_path)
    and u.frozen_at is not null
  order by cardinality(u.path) desc
  limit 1
$$;

-- Do calls of an account end because it or one above is frozen?
create function freeze_ends_calls(of_path int[])
returns boolean stable parallel safe
language sql
  return exists (
    select
    from users u
    where u.id = any (of_path)
      and u.frozen_ends_calls
  );

-- What is refused while an account is frozen is refused here and not in each place that does it:
-- whoever adds a transfer or a way to change an account need not think of it. The server answers
-- this error in words (server/src/db/frozen.ts).
create function refuse_frozen(of_account int) returns void language plpgsql as $$
begin
  raise exception using
    errcode = 'GH010',
    message = 'account ' || of_account || ' is frozen: nothing moves until it is lifted';
end
$$;

-- What is paid for calls and messages was begun before. Everything else between accounts is refused
-- while one of the two is frozen.
create function refuse_frozen_transfer() returns trigger language plpgsql as $$
declare
  frozen_id int;
begin
  perform
  from account
  where id in (new.payer_id, new.payee_id)
  order by id
  for no key update;
  select id
  into frozen_id
  from account
  where id in (new.payer_id, new.payee_id) and frozen
  limit 1;
  if found then
    perform refuse_frozen(frozen_id);
  end if;
  return new;
end
$$;
create trigger transfer_not_frozen before insert on transfer
  for each row when (new.kind not in ('calls', 'sms', 'sms_refund'))
  execute function refuse_frozen_transfer();

-- Whoever freezes locks all accounts below, and looks again for those that were made meanwhile.
create function refuse_frozen_account() returns trigger language plpgsql as $$
begin
  perform
  from users
  where id = new.parent_id
  for share;
  if exists (select from account_frozen_by(new.path)) then
    perform refuse_frozen(new.parent_id);
  end if;
  return new;
end
$$;
create trigger users_not_made_frozen before insert on users
  for each row when (new.parent_id is not null)
  execute function refuse_frozen_account();

-- A password may be set, since it opens nothing until the freeze is lifted; so may what lets its
-- owner be reached. What is frozen or lifted itself is for the server to decide.
create function refuse_frozen_change() returns trigger language plpgsql as $$
declare
  free text[] := '{password_hash,password_given,device_key,verified_emailid,searched}';
begin
  if (old.frozen_at, old.frozen_by) is distinct from (new.frozen_at, new.frozen_by)
    or to_jsonb(old) - free = to_jsonb(new) - free
  then
    return new;
  end if;
  if exists (select from account_frozen_by(new.path)) then
    perform refuse_frozen(new.id);
  end if;
  return new;
end
$$;
create trigger users_not_changed_frozen before update on users
  for each row execute function refuse_frozen_change();

-- Channels, caller IDs and plans of an account, by the column that the trigger names.
create function refuse_frozen_holding() returns trigger language plpgsql as $$
declare
  holder int := (to_jsonb(coalesce(new, old)) ->> tg_argv[0])::int;
begin
  if (select frozen from account where id = holder) then
    perform refuse_frozen(holder);
  end if;
  return coalesce(new, old);
end
$$;
create trigger account_channels_not_frozen before update of channels on account_channels
  for each row when (old.channels is distinct from new.channels)
  execute function refuse_frozen_holding('account_id');
create trigger cli_holder_not_frozen before insert or update or delete on cli_holder
  for each row execute function refuse_frozen_holding('account_id');
create trigger plan_not_frozen before insert or update or delete on plan
  for each row execute function refuse_frozen_holding('owner_id');
