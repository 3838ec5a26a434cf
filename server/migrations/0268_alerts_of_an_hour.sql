-- At most one alert for a kind, a place and an hour, whichever process raises it and however it inserts. Attempts and messages of one kind are one place,
-- so that a fault of many calls is one alert; a trunk, a campaign, a dialer is a place of its own.
create function alert_place(subject text) returns text immutable parallel safe language sql as $$
  select case when subject ~ '^(attempt|message) [0-9]+$' then split_part(subject, ' ', 1) else subject end
$$;

alter table alert
  add place text, -- null: it was raised before there were places, or is kept as cleared
  add hour int, -- since 1970
  add times int not null default 1, -- how often it was raised in its hour
  add others jsonb not null default '[]'; -- [{subject, detail}], further attempts or messages, at most 100
create unique index alert_of_hour on alert (kind, place, hour);

-- Whether the alert is about it: first, or among the others.
create function alert_names(a alert, about text) returns boolean immutable parallel safe language sql as $$
  select a.subject = about or (a.place = alert_place(about) and a.others @> jsonb_build_array(jsonb_build_object('subject', about)))
$$;

-- Nothing while one about the same is open. Within the hour a cleared one opens again for what is new, and further attempts and messages are added to one
-- that is open.
create function alert_once() returns trigger language plpgsql as $$
begin
  new.place := alert_place(new.subject);
  new.hour := floor(extract(epoch from new.at) / 3600)::int;
  perform pg_advisory_xact_lock(hashtext('raise_alert'), hashtext(new.kind || ' ' || new.place));
  if exists (select from alert a where a.kind = new.kind and a.cleared_at is null and alert_names(a, new.subject)) then return null; end if;
  update alert a set times = times + 1, cleared_at = null,
    subject = case when a.cleared_at is null then a.subject else new.subject end,
    detail = case when a.cleared_at is null then a.detail else new.detail end,
    others = case when a.cleared_at is not null then '[]' when jsonb_array_length(a.others) >= 100 then a.others
      else a.others || jsonb_build_object('subject', new.subject, 'detail', new.detail) end
  where a.kind = new.kind and a.place = new.place and a.hour = new.hour;
  return case when found then null else new end;
end $$;
create trigger alert_raised before insert on alert for each row when (new.cleared_at is null) execute function alert_once();

create or replace function raise_alert(of_kind text, about text, what text) returns void language sql as $$
  insert into alert (kind, subject, detail) values (of_kind, about, what)
$$;

-- Its cause is gone: of several attempts or messages only this one is taken out, and the last clears the alert. One that does not name all is cleared by
-- people alone.
create function clear_alert(of_kind text, about text) returns void language sql as $$
  update alert a set
    cleared_at = case when a.others = '[]' and a.times <= 100 then now() end,
    subject = case when a.subject = about and a.others <> '[]' then a.others -> 0 ->> 'subject' else a.subject end,
    detail = case when a.subject = about and a.others <> '[]' then a.others -> 0 ->> 'detail' else a.detail end,
    others = case when a.subject = about and a.others <> '[]' then a.others - 0
      else (select coalesce(jsonb_agg(o order by n), '[]') from jsonb_array_elements(a.others) with ordinality t (o, n) where o ->> 'subject' <> about) end
  where a.kind = of_kind and a.cleared_at is null and alert_names(a, about)
$$;

-- More is known of an open alert.
create function retell_alert(of_kind text, about text, what text) returns void language sql as $$
  update alert a set
    detail = case when a.subject = about then what else a.detail end,
    others = (select coalesce(jsonb_agg(case when o ->> 'subject' = about then o || jsonb_build_object('detail', what) else o end order by n), '[]')
      from jsonb_array_elements(a.others) with ordinality t (o, n))
  where a.kind = of_kind and a.cleared_at is null and alert_names(a, about)
$$;
