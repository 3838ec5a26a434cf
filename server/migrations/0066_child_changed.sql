-- A super admin changed an account below a reseller: the reseller, whose it is, is told.
alter type notice_kind add value 'childChanged';

-- One notice. What comes and goes again within an hour stays one, and one mail, as long as it is not read; what somebody did is said each time.
create or replace function give_notice(to_id int, of_kind notice_kind, on_id int, named text, why text, owns bigint) returns void language plpgsql as $$
declare choice record;
begin
  select coalesce(c.on_screen, true) as on_screen, coalesce(c.by_mail, false) as by_mail into choice
  from users u left join notice_choice c on c.user_id = u.id and c.kind = of_kind where u.id = to_id and u.deleted_at is null;
  if not found or not (choice.on_screen or choice.by_mail) then return; end if;
  if of_kind not in ('campaignComplete', 'promptApproved', 'promptRejected', 'childChanged') then
    update notice set at = now(), times = times + 1, about = named, reason = why, paisa = owns
    where user_id = to_id and kind = of_kind and subject_id = on_id and read_at is null and first_at > now() - interval '1 hour';
    if found then return; end if;
  end if;
  insert into notice (user_id, kind, subject_id, about, reason, paisa, shown, mail_due)
  values (to_id, of_kind, on_id, named, why, owns, choice.on_screen, choice.by_mail);
end $$;
