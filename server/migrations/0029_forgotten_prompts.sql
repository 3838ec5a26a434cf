-- Is a stored file still some prompt's? Asked of every file, once a day; prompt_wav answers it for the sounds of those that are not deleted.
create index prompt_original on prompt (original_hash) where deleted_at is null;
create index prompt_deleted_wav on prompt (wav_hash) where deleted_at is not null;
