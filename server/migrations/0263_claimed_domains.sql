-- Several accounts may ask for one domain; only the one that a super admin confirmed is exclusive.
alter table brand_domain
  drop constraint brand_domain_hostname_key,
  -- Who asked: the account itself, or one above it. An account may have few that wait.
  add column asked_by int references users;
update brand_domain set asked_by = user_id;
create unique index brand_domain_confirmed on brand_domain (hostname) where confirmed_at is not null;
create index brand_domain_waiting on brand_domain (hostname) where confirmed_at is null;
create index brand_domain_asked on brand_domain (asked_by) where confirmed_at is null;
comment on column branding.refused_reason is 'Null: another account got the domain.';
