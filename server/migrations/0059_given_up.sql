-- A dialer that was given up: its calls end as LOST at once, and none begins until it answers again, which clears both. Null: it was not.
alter table dialer add column given_up_at timestamptz, add column given_up_reason text,
  add constraint dialer_given_up check ((given_up_at is null) = (given_up_reason is null));
-- It answers again, and its calls are being compared with what lives there: it is neither gone nor back.
alter table dialer_state add column comes_back boolean not null default false;
-- What a dialer that came back proved of an attempt that had been booked as LOST: how long it talked; null: nobody answered. A note: no money follows.
create table attempt_proof (attempt_id bigint primary key, at timestamptz not null default now(), talk_ms int check (talk_ms >= 0));
revoke update, delete on attempt_proof from ghanti_app;
