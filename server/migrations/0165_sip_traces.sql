-- SIP messages of calls and trunk tests, for tickets to operators: the last of each dialer (docs/adr/40). Written by the engine that holds the dialer, which
-- also removes what is over the limit; housekeeping removes what is older than two weeks. Secrets are not in them, numbers are.
create table sip_trace (
  id bigint generated always as identity primary key,
  dialer_id int not null references dialer,
  trunk_id int not null references trunk,
  attempt_id bigint, -- null: a trunk's test
  test_id bigint, -- of trunk_test
  campaign_id int references campaign, -- of the attempt
  at timestamptz not null, -- of the first message
  messages jsonb not null, -- [{at, sent, transport, dialer, peer, text}]
  check ((attempt_id is null) <> (test_id is null) and (attempt_id is null) = (campaign_id is null))
);
create index sip_trace_dialer on sip_trace (dialer_id, id);
create unique index sip_trace_attempt on sip_trace (attempt_id) where attempt_id is not null;
create unique index sip_trace_test on sip_trace (test_id) where test_id is not null;
create index sip_trace_campaign on sip_trace (campaign_id) where campaign_id is not null;
create index sip_trace_at on sip_trace (at);

-- Loss and jitter of sampled calls, by Nepal's hour since 1970 (nepal_minute / 60). received: what came in, as the dialer measured it; sent: as the far end
-- reported it (RTCP), where it did.
create table rtp_count (
  trunk_id int not null references trunk, operator smallint not null, at int not null,
  calls int not null, received bigint not null, received_lost bigint not null, received_jitter_us bigint not null,
  reported_calls int not null, sent bigint not null, sent_lost bigint not null, sent_jitter_us bigint not null,
  primary key (trunk_id, at, operator)
);
