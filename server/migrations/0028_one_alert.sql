-- Once, until it is cleared, also when two raise it at the same moment: the second looks when the first has written.
create function raise_alert(of_kind text, about text, what text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('raise_alert'), hashtext(of_kind || ' ' || about));
  insert into alert (kind, subject, detail) select of_kind, about, what
    where not exists (select from alert where kind = of_kind and subject = about and cleared_at is null);
end $$;
