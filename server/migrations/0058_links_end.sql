-- A link that resets a password is for the account as it was when it was asked for: with a new password, a disabling or another address it is
-- none any more, whoever caused that.
create function end_reset_links() returns trigger language plpgsql as $$
begin
  delete from password_reset where user_id = new.id;
  return null;
end $$;
create trigger users_end_reset_links after update of password_hash, disabled_at, emailid, deleted_at on users for each row
  when (old.password_hash is distinct from new.password_hash or old.disabled_at is distinct from new.disabled_at
    or old.emailid is distinct from new.emailid or old.deleted_at is distinct from new.deleted_at)
  execute function end_reset_links();
