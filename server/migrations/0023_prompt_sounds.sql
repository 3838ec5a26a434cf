-- Is a sound still some prompt's? Asked of every copy on a dialer.
create index prompt_wav on prompt (wav_hash) where deleted_at is null;
