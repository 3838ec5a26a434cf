-- A line that is refused for what it is (its number, its length) belongs to the file and is stored once, however many campaigns are made of it; one
-- that is refused for what a template needs belongs to the campaign. Of each the first 10,000 are stored, the counts stay exact.
alter table base add column refused int; -- for what they are; null: not counted yet, the next campaign does it
create table base_refused (
  base_id int not null references base on delete cascade, line int not null, text text not null, reason text not null, primary key (base_id, line)
);
alter table campaign_detail add column refused_of_file int; -- of `invalid`, those that belong to the file; null: campaign_refused has them all
