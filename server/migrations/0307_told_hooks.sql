-- What hooks are told, each by the transaction in which it happens. Nothing is written for accounts
-- without a hook that wants it.

-- Of each thing its ids, which say what it is about.
create function note_for_hooks(account int, what text, about bigint[])
returns void
language sql as $$
  insert into hook_news (user_id, type, ids)
  select account, what, about
  where hooks_want(account, what)
$$;

-- Accounts whose hooks want it.
create function wanting_hooks(what text) returns int[] stable language sql as $$
  select array_agg(distinct user_id)
  from hook
  where what = any (events) and state in ('active', 'resting')
$$;

-- Calls that have ended, without those that somebody made alone (a test, Call Now).
create function note_calls_for_hooks(named bigint[]) returns void language plpgsql as $$
declare
  wanting int[] := wanting_hooks('calls.ended');
begin
  if wanting is null then
    return;
  end if;
  insert into hook_news (user_id, type, campaign_id, ids)
  select c.account_id, 'calls.ended', t.campaign_id, array_agg(t.id order by t.id)
  from attempt t
  join campaign c on c.id = t.campaign_id
  where t.id = any (named) and c.account_id = any (wanting) and not c.is_test
  group by c.account_id, t.campaign_id
  order by t.campaign_id;
end
$$;
alter function note_calls_for_hooks(bigint[]) set plan_cache_mode = force_generic_plan;

-- Messages that came to an end, or of which a receipt came: their rows.
create function note_messages_for_hooks(named bigint[]) returns void language plpgsql as $$
declare
  wanting int[] := wanting_hooks('messages.changed');
begin
  if wanting is null then
    return;
  end if;
  insert into hook_news (user_id, type, of_messages, campaign_id, ids)
  select account_id, 'messages.changed', true, campaign_id, array_agg(distinct no order by no)
  from sms_sent
  where id = any (named) and account_id = any (wanting)
  group by account_id, campaign_id
  order by campaign_id;
end
$$;
alter function note_messages_for_hooks(bigint[]) set plan_cache_mode = force_generic_plan;

-- As before (server/schema/15_counts.sql); hooks are told by the transaction that takes the ids.
create or replace function follow_attempts(wanted int) returns int language plpgsql as $$
declare
  named bigint[];
  answered bigint[];
  taken int;
begin
  if not pg_try_advisory_xact_lock(hashtext('call_count')) then
    return 0;
  end if;
  with gone as (
    delete from attempt_news
    where no = any (array(select no from attempt_news order by no limit wanted))
    returning ids
  )
  select (select count(*) from gone), array_agg(id)
  into taken, named
  from gone, unnest(ids) id;
  if named is not null then
    answered := count_attempts(named);
    perform note_calls_for_hooks(named);
  end if;
  if cardinality(answered) > 0 then
    perform count_answers(answered);
  end if;
  return coalesce(taken, 0);
end
$$;

create or replace function follow_messages(wanted int) returns int language plpgsql as $$
declare
  taken int;
  sent bigint[];
  ok bigint[];
  bad bigint[];
begin
  if not pg_try_advisory_xact_lock(hashtext('sms_count')) then
    return 0;
  end if;
  with gone as (
    delete from sms_news
    where no = any (array(select no from sms_news order by no limit wanted))
    returning what, ids
  ),
  named as materialized ( select what, id from gone, unnest(ids) id ),
  early as materialized (
    select n.what, n.id
    from named n
    where n.what <> 'sent' and exists (select from sms_open o where o.id = n.id)
  ),
  put_back as (
    insert into sms_news (what, ids) select what, array_agg(id) from early group by what
  )
  select
    (select count(*) from gone) - (select count(distinct what) from early),
    array_agg(id) filter (where what = 'sent'),
    array_agg(id) filter (where what = 'delivered' and id not in (select id from early)),
    array_agg(id) filter (where what = 'undelivered' and id not in (select id from early))
  into taken, sent, ok, bad
  from named;
  if num_nonnulls(sent, ok, bad) > 0 then
    perform count_messages(coalesce(sent, '{}'), coalesce(ok, '{}'), coalesce(bad, '{}'));
    perform note_messages_for_hooks(sent || ok || bad);
  end if;
  return greatest(0, coalesce(taken, 0));
end
$$;

create function campaign_told() returns trigger language plpgsql as $$
begin
  if hooks_want(new.account_id, 'campaign.status') then
    insert into hook_news (user_id, type, of_messages, campaign_id, state)
    values (
      new.account_id,
      'campaign.status',
      tg_table_name = 'sms_campaign',
      new.id,
      new.status
    );
  end if;
  return null;
end
$$;
create trigger campaign_told after update of status on campaign
  for each row when (old.status <> new.status and not new.is_test)
  execute function campaign_told();
create trigger sms_campaign_told after update of status on sms_campaign
  for each row when (old.status <> new.status)
  execute function campaign_told();

create function incoming_told() returns trigger language plpgsql as $$
begin
  perform note_for_hooks(new.account_id, 'message.received', array[new.id]::bigint[]);
  return null;
end
$$;
create trigger incoming_told after update of action on sms_inbox
  for each row when (old.action = 'waiting' and new.account_id is not null)
  execute function incoming_told();

create function export_told() returns trigger language plpgsql as $$
begin
  perform note_for_hooks(new.owner_id, 'export.ready', array[new.id]::bigint[]);
  return null;
end
$$;
create trigger export_told after update of status on export
  for each row when (old.status <> 'ready' and new.status = 'ready')
  execute function export_told();

-- As before (server/schema/17_notices.sql), and hooks are told too.
create or replace function balance_noticed() returns trigger language plpgsql as $$
declare
  owns bigint;
  who record;
begin
  select username, parent_id into who from users where id = new.id;
  owns := new.balance_paisa + (
    select coalesce(sum(paisa), 0) from account_income where account_id = new.id
  );
  if who is null or owns >= new.low_balance_paisa then
    return null;
  end if;
  perform give_notice(new.id, 'lowBalance', new.id, who.username, null, owns);
  perform note_for_hooks(new.id, 'balance.low', '{}');
  perform give_notice(who.parent_id, 'childLowBalance', new.id, who.username, null, owns);
  return null;
end
$$;
