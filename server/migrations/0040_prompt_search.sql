-- Voice files by any part of their name.
create index prompt_name_search on prompt using gin (lower(name) gin_trgm_ops) where deleted_at is null;
