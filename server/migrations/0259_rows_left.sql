-- How many rows an engine has just left to the other dialers of a campaign's route, because no trunk of its own dialer carried them: by stream, 0 where rows are
-- not by operator, and the engine's epoch (docs/adr/53). The others take so many of the queue, whatever trunks go before theirs. Null: none.
alter table campaign_dialer add column left_rows jsonb;
