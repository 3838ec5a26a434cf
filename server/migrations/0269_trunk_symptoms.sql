-- What calls over a trunk say of its sound and its keys, by Nepal's hour since 1970 (nepal_minute / 60). The engine that holds the trunk's dialer adds to
-- it every ten seconds, so that nobody reads calls for it. Sampled: as in rtp_count.
create table trunk_symptom (
  trunk_id int not null references trunk, at int not null,
  answered int not null, short int not null, -- short: the far end hung up within three seconds
  asked int not null, keyed int not null, -- a menu was heard, and no key or some key came
  sampled int not null, one_way int not null, dead int not null, -- sound passed one way only, or not at all
  described int not null, contradicted int not null, -- SDP of calls whose SIP messages were read
  contradiction text, -- the last one, as a sentence
  primary key (trunk_id, at)
);
