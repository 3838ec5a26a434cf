-- Saved texts and sender IDs by any part of their names and words.
create index sms_text_search on sms_text using gin (lower(name) gin_trgm_ops, lower(text) gin_trgm_ops) where deleted_at is null;
create index sms_sender_search on sms_sender using gin (lower(name) gin_trgm_ops) where deleted_at is null;
