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
create index summary_choice_daily on summary_choice (daily_done nulls first) where daily_hour is not null;

-- A row stays when its address is removed, so that a reader who wants no more is not asked again at once.
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

-- Each mail to each address, written before anything is sent. Only 'queued' is sent, and 'sending' is written before the first byte leaves: a mail whose
-- process died there is 'unknown' and never sent again.
create table summary_mail (
  id bigint generated always as identity primary key,
  user_id int not null references users,
  address_id int not null references summary_address,
  kind text not null check (kind in ('daily', 'completion', 'asked')),
  day date, -- of 'daily': Nepal's day whose campaigns it is about
  campaign_id int references campaign, -- of the others
  formats text not null, language text not null, calendar text not null,
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'dropped', 'failed', 'unknown')),
  reason text check (reason in ('tooMany', 'unwanted', 'gone', 'refused', 'notTaken', 'inDoubt')), -- why it was not sent
  queued_at timestamptz not null,
  ended_at timestamptz,
  check ((reason is not null) = (state in ('dropped', 'failed', 'unknown'))),
  check ((kind = 'daily') = (day is not null) and (kind = 'daily') = (campaign_id is null))
);
create unique index summary_mail_daily on summary_mail (address_id, day) where kind = 'daily';
create unique index summary_mail_completion on summary_mail (campaign_id, address_id) where kind = 'completion';
create index summary_mail_user on summary_mail (user_id, id);
create index summary_mail_queued on summary_mail (queued_at);
create index summary_mail_address on summary_mail (address_id);

-- Campaigns that are complete and whose owner wants to hear of it.
create table summary_due (campaign_id int primary key references campaign, at timestamptz not null default now());
create index summary_due_at on summary_due (at);

create function campaign_summary_due() returns trigger language plpgsql as $$
begin
  insert into summary_due (campaign_id) select new.id where exists (select from summary_choice where user_id = new.account_id and on_completion)
    on conflict do nothing;
  return null;
end $$;
create trigger campaign_summary_due after update of status on campaign for each row
  when (new.status = 'complete' and old.status <> 'complete' and not new.is_test) execute function campaign_summary_due();
