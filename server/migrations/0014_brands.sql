-- Domains apart from the brand: the one that works goes on while the next one waits for the super admin. What kind of picture a logo is.
alter table branding
  add column logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  -- The last domain that the super admin refused or took back, until another one is asked for.
  add column refused_hostname text,
  add column refused_reason text,
  add column refused_at timestamptz;
update branding set logo_hash = null where logo_hash is not null; -- none could be uploaded: what is there was never checked
alter table branding add check ((logo_hash is null) = (logo_type is null));
create unique index branding_of_platform on branding ((user_id is null)) where user_id is null;
create index branding_logo on branding (logo_hash) where logo_hash is not null;

create table brand_domain (
  id int generated always as identity primary key,
  hostname text not null unique check (hostname = lower(hostname)), -- IDN as punycode
  user_id int not null references users,
  asked_at timestamptz not null default now(),
  confirmed_at timestamptz,
  confirmed_by int references users
);
create unique index brand_domain_of_user on brand_domain (user_id, (confirmed_at is null)); -- one that works, one that waits
insert into brand_domain (hostname, user_id, confirmed_at)
select lower(hostname), user_id, confirmed_at from branding where hostname is not null and user_id is not null;
alter table branding drop column hostname, drop column confirmed_at;
