-- Caller ID groups (docs/adr/60). A group is a row of cli like a caller ID: it has a trunk or a route, is given to accounts, and is chosen for campaigns.
-- `number` is its name, `channels` means nothing. Its calls show its members.
alter table cli add is_group boolean not null default false;

create table cli_member (
  group_id int not null references cli,
  cli_id int not null references cli,
  weight smallint not null default 1 check (weight between 1 and 100),
  primary key (group_id, cli_id),
  check (group_id <> cli_id)
);
create index cli_member_cli on cli_member (cli_id);

-- Which caller ID each called number sees: the one with the best score of all that have room left, which is taken from it. The score is a rendezvous hash of
-- the pair by weight, so a number sees the same one again without anything being stored, and a member that comes or goes moves only its own share.
-- Null: none has room.
create function chosen_clis(phones bigint[], clis int[], weights int[], room int[]) returns int[]
  language plpgsql immutable parallel safe as $$
declare
  phone bigint;
  best int;
  chosen int[] := '{}';
begin
  foreach phone in array phones loop
    select i into best from generate_subscripts(clis, 1) i where room[i] > 0
      order by -ln(((hashint8extended(phone, clis[i]) & 4503599627370495) + 0.5::float8) / 4503599627370496) / weights[i], i limit 1;
    if best is not null then room[best] := room[best] - 1; end if;
    chosen := chosen || clis[best];
  end loop;
  return chosen;
end $$;
