-- A number among a million attempts of a campaign: whole or its beginning, or its last digits.
create index attempt_phone on attempt (campaign_id, phone);
create index attempt_last_digits on attempt (campaign_id, (phone % 10000));
