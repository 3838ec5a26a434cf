-- A gateway that nobody can connect with is down as one is that is held after faults: one alert, one notice to every super admin.
alter table sms_gateway_state
  add down_since timestamptz, add down_reason text, -- held after faults, or without a connection for a minute
  add check ((down_since is null) = (down_reason is null));
update sms_gateway_state set down_since = held_since, down_reason = held_reason where held_since is not null;

create or replace function sms_gateway_noticed() returns trigger language plpgsql as $$
declare named text; about text := 'gateway ' || new.gateway_id;
begin
  if new.down_since is null then
    update alert set cleared_at = now() where kind = 'gateway_held' and subject = about and cleared_at is null;
    return null;
  end if;
  select name into named from sms_gateway where id = new.gateway_id;
  perform raise_alert('gateway_held', about, named || ': ' || new.down_reason);
  perform give_notice(u.id, 'gatewayDown', new.gateway_id, named, new.down_reason, null)
    from users u where u.role = 'superAdmin' and u.deleted_at is null;
  return null;
end $$;
drop trigger sms_gateway_noticed_first on sms_gateway_state;
drop trigger sms_gateway_noticed on sms_gateway_state;
create trigger sms_gateway_noticed_first after insert on sms_gateway_state for each row
  when (new.down_since is not null) execute function sms_gateway_noticed();
create trigger sms_gateway_noticed after update of down_since on sms_gateway_state for each row
  when ((old.down_since is null) <> (new.down_since is null)) execute function sms_gateway_noticed();

-- Whoever disables or deletes it knows that nothing leaves through it.
create function sms_gateway_put_away() returns trigger language plpgsql as $$
begin
  update sms_gateway_state set down_since = null, down_reason = null where gateway_id = new.id and down_since is not null;
  return null;
end $$;
create trigger sms_gateway_put_away after update of enabled, deleted_at on sms_gateway for each row
  when (not new.enabled or new.deleted_at is not null) execute function sms_gateway_put_away();
