-- The campaigns whose people are in the file of an export, so that the file goes when one of them is deleted.
create table export_holds (
  campaign_id int not null references campaign,
  export_id int not null references export on delete cascade,
  primary key (campaign_id, export_id)
);
create index export_holds_export on export_holds (export_id);
