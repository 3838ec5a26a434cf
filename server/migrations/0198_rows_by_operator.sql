-- Rows by operator (docs/adr/51). A step of a route may name the operators whose numbers go over its trunk (contract/src/operators.ts has the codes).
-- Null: those of all.
alter table call_route_step add operators smallint[] check (cardinality(operators) between 1 and 4);

-- The rows of a campaign whose route named operators when it was prepared are numbered by operator, and each operator has a cursor of its own. The
-- campaign's own cursor is then at its end from the beginning. Other campaigns have no line here: theirs is campaign.fresh_next, and their stream is 0.
alter table campaign add by_operator boolean not null default false;
create table campaign_stream (
  campaign_id int not null, stream smallint not null, -- the code of the operator at preparation
  fresh_from int not null, fresh_next int not null, fresh_end int not null,
  reason text, -- why its rows wait; null: nothing to say
  primary key (campaign_id, stream), check (fresh_from <= fresh_next and fresh_next <= fresh_end)
) with (fillfactor = 50);

-- The queue of each stream is read in its order. Column and index were made beside calls (before/0198_rows_by_operator.sql).
alter table contact_retry drop constraint contact_retry_pkey, add constraint contact_retry_pkey primary key using index contact_retry_by_stream;

-- Where the row of a call goes back to.
alter table attempt_open add stream smallint not null default 0;
