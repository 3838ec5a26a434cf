-- Counts of sign-ins and of mails with reset links. The first three columns, in this order, are what rate-limiter-flexible writes;
-- `expire` is in milliseconds since 1970. Byte order, so that all keys of one name are one range of the index.
drop table throttle;
create table rate_limit (key text collate "C" primary key, points int not null default 0, expire bigint) with (fillfactor = 50);
create index rate_limit_expire on rate_limit (expire);

-- What the cookie of a browser that signed in before is bound to: whoever writes a password or disables an account renews it.
alter table users add device_key uuid not null default gen_random_uuid();
create function renew_device_key() returns trigger language plpgsql as $$
begin
  new.device_key := gen_random_uuid();
  return new;
end $$;
create trigger users_renew_device_key before update of password_hash, disabled_at on users for each row
  when (old.password_hash is distinct from new.password_hash or old.disabled_at is distinct from new.disabled_at)
  execute function renew_device_key();
