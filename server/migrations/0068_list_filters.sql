-- Lists are filtered: campaigns by when they were composed and by the CLI that they call from.
create index campaign_detail_created on campaign_detail (created_at, campaign_id);
create index campaign_cli on campaign (cli_id, id);
-- Accounts that are disabled, few among many, stop all that are below them.
create index users_disabled on users (id) where disabled_at is not null;
-- The attempts of one outcome, however few of a campaign's million ended so.
create index attempt_disposition on attempt (campaign_id, disposition, id);
