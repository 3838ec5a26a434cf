-- The key of the queue with the stream in it, which 0198 puts in the old one's place: with ten million rows that wait it takes seconds to build.
alter table contact_retry add column if not exists stream smallint not null default 0;
drop index concurrently if exists contact_retry_by_stream;
create unique index concurrently contact_retry_by_stream on contact_retry (campaign_id, stream, due_at, no);
