-- Reports ask which of an account's calls are archived.
create index archive_part_account on archive_part (account_id, archive_id);
