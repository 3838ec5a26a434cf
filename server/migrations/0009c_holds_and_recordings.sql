-- As the trunk and its dialer were set when the hold began: whoever takes the dialer over sees whether somebody mended it meanwhile.
alter table trunk_health add settings text;
-- It was tried often enough: it is not tried any more.
alter table recording_due add given_up_at timestamptz, add check (given_up_at is null or next_at is null);
