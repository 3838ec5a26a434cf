-- What people are told: notices, alerts, summaries by mail.

-- What people are told of: written by the statement that causes it, so that neither is there
-- without the other.
create type notice_kind as enum (
  'lowBalance',
  'childLowBalance',
  'campaignComplete',
  'campaignHeld',
  'campaignOutOfMoney',
  'campaignFailed',
  'campaignStopped',
  'promptApproved',
  'promptRejected',
  'reportReady',
  'trunkDown',
  'voicePackApproved',
  'voicePackRejected',
  'childChanged',
  'senderApproved',
  'senderRejected',
  'textApproved',
  'textRejected',
  'gatewayDown',
  'smsComplete',
  'smsHeld',
  'smsOutOfMoney',
  'smsFailed',
  'smsStopped',
  'exportReady',
  'recordingsNearlyFull',
  'recordingsFull',
  'repeatFailed'
);

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
  user_id int not null references users,
  kind notice_kind not null,
  on_screen boolean not null,
  by_mail boolean not null,
  primary key (user_id, kind)
);

-- In which language somebody reads mails of notices; without a line: English.
create table notice_mail_language (
  user_id int primary key references users,
  language text not null check (language in ('ne', 'en'))
);

-- One notice. What comes and goes again within an hour stays one, and one mail, as long as it is
-- not read; what somebody did is said each time.
create function give_notice(
  to_id int,
  of_kind notice_kind,
  on_id int,
  named text,
  why text,
  owns bigint
)
returns void
language plpgsql as $$
declare
  choice record;
begin
  select coalesce(c.on_screen, true) as on_screen, coalesce(c.by_mail, false) as by_mail
  into choice
  from users u
  left join notice_choice c on c.user_id = u.id and c.kind = of_kind
  where u.id = to_id and u.deleted_at is null;
  if not found or not (choice.on_screen or choice.by_mail) then
    return;
  end if;
  if of_kind not in (
    'campaignComplete', 'smsComplete', 'promptApproved', 'promptRejected', 'childChanged'
  )
  then
    update notice
    set at = now(), times = times + 1, about = named, reason = why, paisa = owns
    where user_id = to_id
      and kind = of_kind
      and subject_id = on_id
      and read_at is null
      and first_at > now() - interval '1 hour';
    if found then
      return;
    end if;
  end if;
  insert into notice (user_id, kind, subject_id, about, reason, paisa, shown, mail_due)
  values (to_id, of_kind, on_id, named, why, owns, choice.on_screen, choice.by_mail);
end
$$;

create function campaign_noticed() returns trigger language plpgsql as $$
declare
  told notice_kind;
begin
  if new.is_test then
    return null;
  end if; -- who tests looks on
  told := case new.status
    when 'complete' then 'campaignComplete'
    when 'lowBalance' then 'campaignOutOfMoney'
    when 'onHold' then 'campaignHeld'
    when 'refused' then 'campaignFailed'
    when 'failed' then 'campaignFailed'
    else 'campaignStopped'
  end;
  perform
    give_notice(
      new.account_id,
      told,
      new.id,
      (select name from campaign_detail where campaign_id = new.id),
      new.reason,
      null
    );
  return null;
end
$$;
-- Every night's hold for calling hours is no news. A stop is, when somebody else's.
create trigger campaign_noticed after update of status, hold_cause on campaign
  for each row when (
    new.status in ('complete', 'lowBalance', 'refused', 'failed')
      and old.status <> new.status
    or new.status = 'onHold'
      and new.hold_cause <> 'hours'
      and (old.status, old.hold_cause) is distinct from (new.status, new.hold_cause)
    or new.status = 'cancelling'
      and old.status <> new.status
      and coalesce(
        nullif(current_setting('ghanti.user_id', true), '')::int, new.account_id
      ) <> new.account_id
  )
  execute function campaign_noticed();

create function report_noticed() returns trigger language plpgsql as $$
begin
  if new.requested_by is not null then
    perform
      give_notice(
        new.requested_by,
        'reportReady',
        new.campaign_id,
        (select name from campaign_detail where campaign_id = new.campaign_id),
        null,
        null
      );
  end if;
  return null;
end
$$;
create trigger report_noticed after update of status on report
  for each row when (new.status = 'ready' and old.status <> 'ready')
  execute function report_noticed();

-- Once, when the balance crosses the limit: all other changes of a balance stop at the trigger's
-- condition.
create function balance_noticed() returns trigger language plpgsql as $$
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
  perform give_notice(who.parent_id, 'childLowBalance', new.id, who.username, null, owns);
  return null;
end
$$;
create trigger balance_noticed after update of balance_paisa on account
  for each row when (
    old.balance_paisa >= new.low_balance_paisa
    and new.balance_paisa < new.low_balance_paisa
    and new.kind = 'ordinary'
  )
  execute function balance_noticed();

-- What super admins are told of trunks goes to those who may still sign in.
create function trunk_noticed() returns trigger language plpgsql as $$
begin
  perform give_notice(u.id, 'trunkDown', new.trunk_id, t.name, new.hold_reason, null)
  from users u, trunk t
  where u.role = 'superAdmin'
    and not exists (select from account_stopped_by(u.path))
    and t.id = new.trunk_id;
  return null;
end
$$;
create trigger trunk_noticed_first after insert on trunk_health
  for each row when (new.held_since is not null)
  execute function trunk_noticed();
create trigger trunk_noticed after update of held_since on trunk_health
  for each row when (old.held_since is null and new.held_since is not null)
  execute function trunk_noticed();

create function sms_campaign_noticed() returns trigger language plpgsql as $$
declare
  told notice_kind;
begin
  told := case new.status
    when 'complete' then 'smsComplete'
    when 'lowBalance' then 'smsOutOfMoney'
    when 'onHold' then 'smsHeld'
    when 'refused' then 'smsFailed'
    when 'failed' then 'smsFailed'
    else 'smsStopped'
  end;
  perform
    give_notice(
      new.account_id,
      told,
      new.id,
      (select name from sms_campaign_detail where campaign_id = new.id),
      new.reason,
      null
    );
  return null;
end
$$;
-- Every night's hold for the hours of messages is no news. A stop is, when somebody else's.
create trigger sms_campaign_noticed after update of status, hold_cause on sms_campaign
  for each row when (
    new.status in ('complete', 'lowBalance', 'refused', 'failed')
      and old.status <> new.status
    or new.status = 'onHold'
      and new.hold_cause <> 'hours'
      and (old.status, old.hold_cause) is distinct from (new.status, new.hold_cause)
    or new.status = 'cancelling'
      and old.status <> new.status
      and coalesce(
        nullif(current_setting('ghanti.user_id', true), '')::int, new.account_id
      ) <> new.account_id
  )
  execute function sms_campaign_noticed();

-- A gateway that is held is an alert, cleared with the hold, and a notice to every super admin.
create function sms_gateway_noticed() returns trigger language plpgsql as $$
declare
  named text;
  about text := 'gateway ' || new.gateway_id;
begin
  if new.down_since is null then
    update alert
    set cleared_at = now()
    where kind = 'gateway_held' and subject = about and cleared_at is null;
    return null;
  end if;
  select name into named from sms_gateway where id = new.gateway_id;
  perform raise_alert('gateway_held', about, named || ': ' || new.down_reason);
  perform give_notice(u.id, 'gatewayDown', new.gateway_id, named, new.down_reason, null)
  from users u
  where u.role = 'superAdmin' and u.deleted_at is null;
  return null;
end
$$;
create trigger sms_gateway_noticed_first after insert on sms_gateway_state
  for each row when (new.down_since is not null)
  execute function sms_gateway_noticed();
create trigger sms_gateway_noticed after update of down_since on sms_gateway_state
  for each row when ((old.down_since is null) <> (new.down_since is null))
  execute function sms_gateway_noticed();

-- 80 % of the room is told once, and all of it, when the recording is stored that passes it.
create function recording_room_noticed() returns trigger language plpgsql as $$
declare
  megabytes bigint;
  before_it bigint;
  after_it bigint;
begin
  perform pg_advisory_xact_lock(hashtext('recordings'), new.account_id);
  megabytes := coalesce(
    (select (value->>'recordingMegabytes')::bigint from platform_setting where key = 'quotas'), 2000
  );
  select sum(greatest(size_bytes, 4096))
  into after_it
  from recording
  where account_id = new.account_id;
  before_it := after_it - greatest(new.size_bytes, 4096);
  if after_it >= megabytes * 1000000 and before_it < megabytes * 1000000 then
    perform
      give_notice(new.account_id, 'recordingsFull', new.account_id, megabytes::text, null, null);
  elsif after_it >= megabytes * 800000 and before_it < megabytes * 800000 then
    perform
      give_notice(
        new.account_id, 'recordingsNearlyFull', new.account_id, megabytes::text, null, null
      );
  end if;
  return null;
end
$$;
create trigger recording_room_noticed after insert on recording
  for each row execute function recording_room_noticed();

-- What the judge or the engine found and a person must see.
create table alert (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  kind text not null,
  subject text not null,
  detail text not null,
  cleared_at timestamptz,
  place text, -- null: it was raised before there were places, or is kept as cleared
  hour int, -- since 1970
  times int not null default 1, -- how often it was raised in its hour
  -- [{subject, detail}], further attempts or messages, at most 100
  others jsonb not null default '[]'
);
-- The open ones are asked for with every one that is raised, and by their screen.
create index alert_open on alert (kind, subject) where cleared_at is null;
create unique index alert_of_hour on alert (kind, place, hour);

-- At most one alert for a kind, a place and an hour, whichever process raises it and however it
-- inserts. Attempts and messages of one kind are one place, so that a fault of many calls is one
-- alert; a trunk, a campaign, a dialer is a place of its own.
create function alert_place(subject text) returns text immutable parallel safe language sql as $$
  select
    case
      when subject ~ '^(attempt|message) [0-9]+$' then split_part(subject, ' ', 1)
      else subject
    end
$$;

-- Whether the alert is about it: first, or among the others.
create function alert_names(a alert, about text)
returns boolean immutable parallel safe
language sql as $$
  select
    a.subject = about
    or (
      a.place = alert_place(about)
      and a.others @> jsonb_build_array(jsonb_build_object('subject', about))
    )
$$;

-- Nothing while one about the same is open. Within the hour a cleared one opens again for what is
-- new, and further attempts and messages are added to one that is open.
create function alert_once() returns trigger language plpgsql as $$
begin
  new.place := alert_place(new.subject);
  new.hour := floor(extract(epoch from new.at) / 3600)::int;
  perform pg_advisory_xact_lock(hashtext('raise_alert'), hashtext(new.kind || ' ' || new.place));
  if exists (
    select
    from alert a
    where a.kind = new.kind and a.cleared_at is null and alert_names(a, new.subject)
  )
  then
    return null;
  end if;
  update alert a
  set
    times = times + 1,
    cleared_at = null,
    subject = case when a.cleared_at is null then a.subject else new.subject end,
    detail = case when a.cleared_at is null then a.detail else new.detail end,
    others = case
      when a.cleared_at is not null then '[]'
      when jsonb_array_length(a.others) >= 100 then a.others
      else a.others || jsonb_build_object('subject', new.subject, 'detail', new.detail)
    end
  where a.kind = new.kind and a.place = new.place and a.hour = new.hour;
  return case when found then null else new end;
end
$$;
create trigger alert_raised before insert on alert
  for each row when (new.cleared_at is null)
  execute function alert_once();

-- Once, until it is cleared, also when two raise it at the same moment: the second looks when the
-- first has written.
create function raise_alert(of_kind text, about text, what text) returns void language sql as $$
  insert into alert (kind, subject, detail)
  values (of_kind, about, what)
$$;

-- Its cause is gone: of several attempts or messages only this one is taken out, and the last
-- clears the alert. One that does not name all is cleared by people alone.
create function clear_alert(of_kind text, about text) returns void language sql as $$
  update alert a
  set
    cleared_at = case when a.others = '[]' and a.times <= 100 then now() end,
    subject = case
      when a.subject = about and a.others <> '[]' then a.others -> 0 ->> 'subject'
      else a.subject
    end,
    detail = case
      when a.subject = about and a.others <> '[]' then a.others -> 0 ->> 'detail'
      else a.detail
    end,
    others = case
      when a.subject = about and a.others <> '[]' then a.others - 0
      else (
        select coalesce(jsonb_agg(o order by n), '[]')
        from jsonb_array_elements(a.others) with ordinality t (o, n)
        where o ->> 'subject' <> about
      )
    end
  where a.kind = of_kind and a.cleared_at is null and alert_names(a, about)
$$;

-- More is known of an open alert.
create function retell_alert(of_kind text, about text, what text) returns void language sql as $$
  update alert a
  set
    detail = case when a.subject = about then what else a.detail end,
    others = (
      select
        coalesce(
          jsonb_agg(
            case
              when o ->> 'subject' = about then o || jsonb_build_object('detail', what)
              else o
            end order by n
          ),
          '[]'
        )
      from jsonb_array_elements(a.others) with ordinality t (o, n)
    )
  where a.kind = of_kind and a.cleared_at is null and alert_names(a, about)
$$;

-- Summaries of campaigns by mail, to addresses whose readers confirmed them (docs/adr/17).
-- What an account chose; no row: nothing.
create table summary_choice (
  user_id int primary key references users,
  daily_hour int check (daily_hour between 0 and 23), -- Nepal's; null: no daily mail
  daily_done date, -- Nepal's day on which the last daily mails were made
  on_completion boolean not null,
  formats text not null check (formats in ('pdf', 'csv', 'both')),
  language text not null check (language in ('ne', 'en')),
  calendar text not null check (calendar in ('ad', 'bs'))
);
create index summary_choice_daily on summary_choice (daily_done nulls first)
  where daily_hour is not null;

-- A row stays when its address is removed, so that a reader who wants no more is not asked again at
-- once.
create table summary_address (
  id int generated always as identity primary key,
  user_id int not null references users,
  address text not null check (length(address) <= 254),
  asked_at timestamptz not null, -- when the last link was asked for
  confirmed_at timestamptz,
  stopped_at timestamptz, -- its reader wants no more
  removed_at timestamptz
);
create unique index summary_address_of on summary_address (user_id, lower(address));

-- Links that confirm: of each token only its hash.
create table summary_address_link (
  token_hash bytea primary key,
  address_id int not null references summary_address,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index summary_address_link_address on summary_address_link (address_id);
create index summary_address_link_expires on summary_address_link (expires_at);

-- Each mail to each address, written before anything is sent. Only 'queued' is sent, and 'sending'
-- is written before the first byte leaves: a mail whose process died there is 'unknown' and never
-- sent again.
create table summary_mail (
  id bigint generated always as identity primary key,
  user_id int not null references users,
  address_id int not null references summary_address,
  kind text not null check (kind in ('daily', 'completion', 'asked')),
  day date, -- of 'daily': Nepal's day whose campaigns it is about
  campaign_id int references campaign, -- of the others
  formats text not null,
  language text not null,
  calendar text not null,
  state text not null default 'queued'
    check (state in ('queued', 'sending', 'sent', 'dropped', 'failed', 'unknown')),
  -- why it was not sent
  reason text check (reason in ('tooMany', 'unwanted', 'gone', 'refused', 'notTaken', 'inDoubt')),
  queued_at timestamptz not null,
  ended_at timestamptz,
  check ((reason is not null) = (state in ('dropped', 'failed', 'unknown'))),
  check ((kind = 'daily') = (day is not null) and (kind = 'daily') = (campaign_id is null))
);
create unique index summary_mail_daily on summary_mail (address_id, day) where kind = 'daily';
create unique index summary_mail_completion on summary_mail (campaign_id, address_id)
  where kind = 'completion';
create index summary_mail_user on summary_mail (user_id, id);
create index summary_mail_queued on summary_mail (queued_at);
create index summary_mail_address on summary_mail (address_id);

-- Campaigns that are complete and whose owner wants to hear of it.
create table summary_due (
  campaign_id int primary key references campaign,
  at timestamptz not null default now()
);
create index summary_due_at on summary_due (at);

create function campaign_summary_due() returns trigger language plpgsql as $$
begin
  insert into summary_due (campaign_id)
  select new.id
  where exists (select from summary_choice where user_id = new.account_id and on_completion)
  on conflict do nothing;
  return null;
end
$$;
create trigger campaign_summary_due after update of status on campaign
  for each row when (new.status = 'complete' and old.status <> 'complete' and not new.is_test)
  execute function campaign_summary_due();
