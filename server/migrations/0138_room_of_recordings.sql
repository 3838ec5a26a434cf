-- Recordings have a quota of their own, 2,000 MB where nobody sets another: docs/adr/10. Whoever raised the storage for them keeps as much, and nobody
-- has more than two thirds of it when it comes to hold.
with most as (
  select coalesce(max(bytes), 0) as bytes from (select sum(greatest(size_bytes, 4096)) as bytes from recording group by account_id) r
), room as (
  select least(1000000, greatest(2000, ceil(bytes * 1.5 / 1e9) * 1000))::int as megabytes from most
)
insert into platform_setting as s (key, value)
select 'quotas', jsonb_build_object('megabytes', 500, 'recordingMegabytes', megabytes, 'rows', 3000000, 'campaigns', 100, 'prompts', 200, 'blacklist', 1000000)
from room where megabytes > 2000 or exists (select from platform_setting where key = 'quotas')
on conflict (key) do update set value = s.value
  || jsonb_build_object('recordingMegabytes', greatest((excluded.value->>'recordingMegabytes')::int, (s.value->>'megabytes')::int));

-- Why a conversation was not recorded although conversations are; whoever looks for it reads it. Archived calls take theirs along.
create type not_recorded as enum ('noRoom', 'noNotice');
create table recording_withheld (
  attempt_id bigint primary key,
  why not_recorded not null,
  at timestamptz not null default now()
);

-- 80 % of the room is told once, and all of it, when the recording is stored that passes it.
create function recording_room_noticed() returns trigger language plpgsql as $$
declare
  megabytes bigint;
  before_it bigint;
  after_it bigint;
begin
  perform pg_advisory_xact_lock(hashtext('recordings'), new.account_id);
  megabytes := coalesce((select (value->>'recordingMegabytes')::bigint from platform_setting where key = 'quotas'), 2000);
  select sum(greatest(size_bytes, 4096)) into after_it from recording where account_id = new.account_id;
  before_it := after_it - greatest(new.size_bytes, 4096);
  if after_it >= megabytes * 1000000 and before_it < megabytes * 1000000 then
    perform give_notice(new.account_id, 'recordingsFull', new.account_id, megabytes::text, null, null);
  elsif after_it >= megabytes * 800000 and before_it < megabytes * 800000 then
    perform give_notice(new.account_id, 'recordingsNearlyFull', new.account_id, megabytes::text, null, null);
  end if;
  return null;
end $$;
create trigger recording_room_noticed after insert on recording for each row execute function recording_room_noticed();
