-- The account that a spoken value was made for, against whose limit it counts; null for sounds that
-- the platform made, and for those from before. The index has no row yet, so it is built at once.
alter table speech_sound add column made_for int;
create index speech_sound_made_for on speech_sound (made_for, needed_until)
  include (duration_ms) where made_for is not null;
