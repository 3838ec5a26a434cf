-- Which request took an Idempotency-Key. When the answer to taking it was lost, the request was turned away unprocessed: only its own claim, not that
-- of a repeated request, is given back afterwards.
alter table idempotency_key add claim uuid;
