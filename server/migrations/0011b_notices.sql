-- What people are told of: written by the statement that causes it, so that neither is there without the other.
create type notice_kind as enum ('lowBalance', 'childLowBalance', 'campaignComplete', 'campaignHeld', 'campaignOutOfMoney', 'campaignFailed', 'campaignStopped',
  'promptApproved', 'promptRejected', 'reportReady', 'trunkDown');

create table notice (
  id bigint generated always as identity primary key,
  user_id int not null references users,
  kind notice_kind not null,
  subject_id int not null, -- the campaign, voice file, account or trunk
  about text not null, -- its name
  reason text, -- in words for a person
  paisa bigint, -- what the account has left
  first_at timestamptz not null default now(),
  at timestamptz not null default now(), -- when it happened last
  times int not null default 1,
  shown boolean not null, -- false: it only goes by mail
  read_at timestamptz,
  mail_due boolean not null,
  mailed_at timestamptz
);
create index notice_user on notice (user_id, at, id);
create index notice_unread on notice (user_id, kind, subject_id) where read_at is null;
create index notice_mail_due on notice (user_id) where mail_due;
create index notice_mailed on notice (user_id, mailed_at) where mailed_at is not null;
create index notice_at on notice (at);

-- What somebody chose for a kind; without a line: on screen, no mail.
create table notice_choice (
  user_id int not null references users, kind notice_kind not null, on_screen boolean not null, by_mail boolean not null, primary key (user_id, kind)
);

-- Below it its owner and whoever gives him credits are told. In this row, so that settling need not ask for it.
alter table account add low_balance_paisa bigint not null default 10000 check (low_balance_paisa >= 0);

-- One notice. What comes and goes again within an hour stays one, and one mail, as long as it is not read.
create function give_notice(to_id int, of_kind notice_kind, on_id int, named text, why text, owns bigint) returns void language plpgsql as $$
declare choice record;
begin
  select coalesce(c.on_screen, true) as on_screen, coalesce(c.by_mail, false) as by_mail into choice
  from users u left join notice_choice c on c.user_id = u.id and c.kind = of_kind where u.id = to_id and u.deleted_at is null;
  if not found or not (choice.on_screen or choice.by_mail) then return; end if;
  if of_kind not in ('campaignComplete', 'promptApproved', 'promptRejected') then
    update notice set at = now(), times = times + 1, about = named, reason = why, paisa = owns
    where user_id = to_id and kind = of_kind and subject_id = on_id and read_at is null and first_at > now() - interval '1 hour';
    if found then return; end if;
  end if;
  insert into notice (user_id, kind, subject_id, about, reason, paisa, shown, mail_due)
  values (to_id, of_kind, on_id, named, why, owns, choice.on_screen, choice.by_mail);
end $$;

create function campaign_noticed() returns trigger language plpgsql as $$
declare told notice_kind;
begin
  told := case new.status
    when 'complete' then 'campaignComplete' when 'lowBalance' then 'campaignOutOfMoney' when 'onHold' then 'campaignHeld'
    when 'refused' then 'campaignFailed' when 'failed' then 'campaignFailed' else 'campaignStopped' end;
  perform give_notice(new.account_id, told, new.id, (select name from campaign_detail where campaign_id = new.id), new.reason, null);
  return null;
end $$;
-- Every night's hold for calling hours is no news. A stop is, when somebody else's.
create trigger campaign_noticed after update of status, hold_cause on campaign for each row
  when (new.status in ('complete', 'lowBalance', 'refused', 'failed') and old.status <> new.status
    or new.status = 'onHold' and new.hold_cause <> 'hours' and (old.status, old.hold_cause) is distinct from (new.status, new.hold_cause)
    or new.status = 'cancelling' and old.status <> new.status
      and coalesce(nullif(current_setting('ghanti.user_id', true), '')::int, new.account_id) <> new.account_id) execute function campaign_noticed();

create function report_noticed() returns trigger language plpgsql as $$
begin
  if new.requested_by is not null then
    perform give_notice(new.requested_by, 'reportReady', new.campaign_id, (select name from campaign_detail where campaign_id = new.campaign_id), null, null);
  end if;
  return null;
end $$;
create trigger report_noticed after update of status on report for each row
  when (new.status = 'ready' and old.status <> 'ready') execute function report_noticed();

create function trunk_noticed() returns trigger language plpgsql as $$
begin
  perform give_notice(u.id, 'trunkDown', new.trunk_id, t.name, new.hold_reason, null)
  from users u, trunk t where u.role = 'superAdmin' and u.deleted_at is null and t.id = new.trunk_id;
  return null;
end $$;
create trigger trunk_noticed_first after insert on trunk_health for each row when (new.held_since is not null) execute function trunk_noticed();
create trigger trunk_noticed after update of held_since on trunk_health for each row
  when (old.held_since is null and new.held_since is not null) execute function trunk_noticed();

-- Once, when the balance crosses the limit: all other changes of a balance stop at the trigger's condition.
create function balance_noticed() returns trigger language plpgsql as $$
declare owns bigint; who record;
begin
  select username, parent_id into who from users where id = new.id;
  owns := new.balance_paisa + (select coalesce(sum(paisa), 0) from account_income where account_id = new.id);
  if who is null or owns >= new.low_balance_paisa then return null; end if;
  perform give_notice(new.id, 'lowBalance', new.id, who.username, null, owns);
  perform give_notice(who.parent_id, 'childLowBalance', new.id, who.username, null, owns);
  return null;
end $$;
create trigger balance_noticed after update of balance_paisa on account for each row
  when (old.balance_paisa >= new.low_balance_paisa and new.balance_paisa < new.low_balance_paisa and new.kind = 'ordinary') execute function balance_noticed();
