-- Whose quota a logo counts against: the account that sent it, for itself or for an account below. Null: the platform's, or sent by a super admin for it.
-- How large the logos of before are is not in the database; each counts as the largest that is taken until another replaces it.
alter table branding
  add column logo_bytes int check (logo_bytes > 0),
  add column logo_sender int references users;
update branding set logo_bytes = 1048576, logo_sender = user_id where logo_hash is not null;
alter table branding
  add check ((logo_hash is null) = (logo_bytes is null)),
  add check (logo_sender is null or logo_hash is not null);
create index branding_sender on branding (logo_sender) where logo_sender is not null;
-- A logo that another replaced is deleted at once.
drop table logo_replaced;
-- Is a stored file still some report's?
create index report_zip on report (zip_hash) where zip_hash is not null;
create index report_cc on report (cc_hash) where cc_hash is not null;
create index report_dtmf on report (dtmf_hash) where dtmf_hash is not null;
