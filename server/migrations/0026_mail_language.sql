-- In which language somebody reads his mails of notices; without a line: English.
create table notice_mail_language (user_id int primary key references users, language text not null check (language in ('ne', 'en')));
