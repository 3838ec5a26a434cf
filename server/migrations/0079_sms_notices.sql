-- What the owner of an SMS campaign is told of, as of campaigns of calls.
alter type notice_kind add value 'smsComplete';
alter type notice_kind add value 'smsHeld';
alter type notice_kind add value 'smsOutOfMoney';
alter type notice_kind add value 'smsFailed';
alter type notice_kind add value 'smsStopped';

-- One notice. What comes and goes again within an hour stays one, and one mail, as long as it is not read; what somebody did is said each time.
create or replace function give_notice(to_id int, of_kind notice_kind, on_id int, named text, why text, owns bigint) returns void language plpgsql as $$
declare choice record;
begin
  select coalesce(c.on_screen, true) as on_screen, coalesce(c.by_mail, false) as by_mail into choice
  from users u left join notice_choice c on c.user_id = u.id and c.kind = of_kind where u.id = to_id and u.deleted_at is null;
  if not found or not (choice.on_screen or choice.by_mail) then return; end if;
  if of_kind not in ('campaignComplete', 'smsComplete', 'promptApproved', 'promptRejected', 'childChanged') then
    update notice set at = now(), times = times + 1, about = named, reason = why, paisa = owns
    where user_id = to_id and kind = of_kind and subject_id = on_id and read_at is null and first_at > now() - interval '1 hour';
    if found then return; end if;
  end if;
  insert into notice (user_id, kind, subject_id, about, reason, paisa, shown, mail_due)
  values (to_id, of_kind, on_id, named, why, owns, choice.on_screen, choice.by_mail);
end $$;

create function sms_campaign_noticed() returns trigger language plpgsql as $$
declare told notice_kind;
begin
  told := case new.status
    when 'complete' then 'smsComplete' when 'lowBalance' then 'smsOutOfMoney' when 'onHold' then 'smsHeld'
    when 'refused' then 'smsFailed' when 'failed' then 'smsFailed' else 'smsStopped' end;
  perform give_notice(new.account_id, told, new.id, (select name from sms_campaign_detail where campaign_id = new.id), new.reason, null);
  return null;
end $$;
-- Every night's hold for the hours of messages is no news. A stop is, when somebody else's.
create trigger sms_campaign_noticed after update of status, hold_cause on sms_campaign for each row
  when (new.status in ('complete', 'lowBalance', 'refused', 'failed') and old.status <> new.status
    or new.status = 'onHold' and new.hold_cause <> 'hours' and (old.status, old.hold_cause) is distinct from (new.status, new.hold_cause)
    or new.status = 'cancelling' and old.status <> new.status
      and coalesce(nullif(current_setting('ghanti.user_id', true), '')::int, new.account_id) <> new.account_id) execute function sms_campaign_noticed();
