-- Campaigns whose route has trunks of several dialers (docs/adr/53). campaign.dialer_id is the dialer that leads one: its engine alone decides what becomes
-- of it. Once its engine has set is_shared, the other dialers of the route claim rows of it, too, and all claims of its caller ID wait for each other.
alter table campaign add column is_shared boolean not null default false;
create index campaign_shared on campaign (cli_id) where is_shared and status not in ('complete', 'cancelled', 'refused', 'failed');

-- What keeps each of its dialers from its calls; null: nothing. The line counts as long as the dialer's lease has this epoch.
create table campaign_dialer (
  campaign_id int not null, dialer_id int not null,
  epoch bigint not null,
  cause hold_cause, reason text,
  primary key (campaign_id, dialer_id), check ((cause is null) = (reason is null))
);

-- Engines of the version before do not know shared campaigns, and do not say so here.
alter table engine add column shares boolean not null default false;
