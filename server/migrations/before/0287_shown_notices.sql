-- Whatever gives a notice would wait for its indexes.
drop index concurrently if exists notice_shown;
create index concurrently notice_shown on notice (user_id, at, id) where shown;
drop index concurrently if exists notice_shown_unread;
create index concurrently notice_shown_unread on notice (user_id, at)
  where read_at is null and shown;
