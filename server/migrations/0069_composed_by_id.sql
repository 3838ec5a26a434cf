-- Campaigns of some days are found by their ids, which grow with the time.
drop index campaign_detail_created;
