-- What became of an answered call, in words that callflow/src/trail.ts writes; null: not answered, or of before trails were kept.
alter table attempt add trail text;
-- How often each word of the trails occurs: the campaign's answers. Slots as in campaign_count.
create table campaign_tally (
  campaign_id int not null, slot smallint not null, mark text not null, n int not null, primary key (campaign_id, slot, mark)
) with (fillfactor = 50);
