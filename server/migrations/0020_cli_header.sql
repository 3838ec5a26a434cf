-- Which header tells an operator the caller ID. auto: P-Asserted-Identity where From names the trunk's user, else From.
create type cli_header as enum ('auto', 'from', 'asserted', 'both');
alter table trunk
  add cli_header cli_header not null default 'auto',
  add check (cli_header <> 'asserted' or sip_user is not null); -- From must name somebody
