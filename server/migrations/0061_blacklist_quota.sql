-- Blacklists have a quota: docs/adr/10. A million numbers are counted as they come and go, in the transaction of whoever adds or deletes them.
create table blacklist_count (owner_id int primary key, numbers int not null);
create function count_blacklist() returns trigger language plpgsql as $$
begin
  insert into blacklist_count as n (owner_id, numbers)
    select owner_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by owner_id order by owner_id
    on conflict (owner_id) do update set numbers = n.numbers + excluded.numbers;
  return null;
end $$;
create trigger blacklist_added after insert on blacklist referencing new table as changed for each statement execute function count_blacklist();
create trigger blacklist_deleted after delete on blacklist referencing old table as changed for each statement execute function count_blacklist();
insert into blacklist_count select owner_id, count(*) from blacklist group by owner_id;

update platform_setting set value = value || '{"blacklist": 1000000}' where key = 'quotas' and not value ? 'blacklist';

-- What an account uses is summed over its campaigns: of those that are over, the ones with rows that were never called, from the index alone.
create index campaign_progress_uncalled on campaign_progress (account_id) include (stored_rows, stored_bytes, attempts)
  where finished_at is not null and stored_rows > attempts;
create index campaign_progress_unfinished on campaign_progress (account_id) where finished_at is null;
