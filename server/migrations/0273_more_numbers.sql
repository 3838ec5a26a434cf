-- In how many rows of a contact file numbers stand that can be called and are not, by column: [{column, rows}]. Null: stored before this was counted.
alter table base add column more_numbers jsonb;

-- A row of a blacklist's file may have several numbers, and a refused row numbers in other columns.
alter table blacklist_upload add column numbers int; -- those that were found, accepted or duplicate; null: one for each row that was not refused
alter table blacklist_upload drop constraint blacklist_upload_check;
alter table blacklist_upload add constraint blacklist_upload_check check (coalesce(numbers, rows - invalid) = accepted + duplicate);
