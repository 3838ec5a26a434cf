-- An account is live when no id of its path is disabled or deleted. This is the only definition: sessions, sign-in, claims and holds, jobs, mails
-- and brands ask it. It reads the path instead of a flag that is kept, so that no account that is made or changed meanwhile can be missed.
-- The row of what stops an account, the nearest when there are several; none: it is live. A super admin above stops nobody: together they are
-- the platform. Inlined into the query that asks, as long as it is plain SQL: a look at the primary key for each id of the path.
create function account_stopped_by(of_path int[]) returns table (stopper_id int, stopper text, stopped_at timestamptz, stop_reason text)
language sql stable parallel safe rows 1 as $$
  select u.id, u.username, u.disabled_at, u.disabled_reason from users u
  where u.id = any (of_path) and (u.disabled_at is not null or u.deleted_at is not null)
    and (u.role <> 'superAdmin' or u.id = of_path[cardinality(of_path)])
  order by cardinality(u.path) desc limit 1
$$;

-- What super admins are told of trunks goes to those who may still sign in.
create or replace function trunk_noticed() returns trigger language plpgsql as $$
begin
  perform give_notice(u.id, 'trunkDown', new.trunk_id, t.name, new.hold_reason, null)
  from users u, trunk t where u.role = 'superAdmin' and not exists (select from account_stopped_by(u.path)) and t.id = new.trunk_id;
  return null;
end $$;

-- From now on a hold for a disabled account ends by itself when the account is live again. Those of accounts that were enabled before wait for
-- their owners, as they were told.
update campaign c set hold_cause = 'expired' from users u
where u.id = c.account_id and c.status = 'onHold' and c.hold_cause = 'disabled' and not exists (select from account_stopped_by(u.path));
