-- Mail goes to an address only after somebody who reads it has confirmed it. What is kept is the confirmed address: another one is not.
alter table users add column verified_emailid text;
-- A demo mails to nobody. All others confirm, those from before this too: nobody knows who reads their mail.
update users set verified_emailid = emailid where is_demo;

-- Who is to get a link that confirms the account's address. A row stays while the day's number of mails is used up, and goes when the mail is queued.
create table mail_verification_due (
  user_id int primary key references users,
  emailid text not null,
  caused_by int not null references users, -- the account whose day counts the mail
  asked_at timestamptz not null default now(),
  not_before timestamptz -- null: at once
);
create index mail_verification_due_asked on mail_verification_due (asked_at);

-- The links: of each token only its hash. A used or late one stays a while, so that whoever opens it again reads why it does nothing.
create table mail_verification (
  token_hash bytea primary key,
  user_id int not null references users,
  emailid text not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_verification_user on mail_verification (user_id, sent_at);
create index mail_verification_expires on mail_verification (expires_at);

-- Mails of one of Nepal's days, by what is counted: 'account 7', 'reset 7', 'to <hash of an address>', 'caused by 3'.
create table mail_count (counted text, day date, mails int not null, primary key (counted, day)) with (fillfactor = 50);
create index mail_count_day on mail_count (day);
