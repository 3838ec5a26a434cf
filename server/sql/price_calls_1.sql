-- What each level pays for calls that were answered: at most what the level below it pays, and the
-- first at most what was reserved. So no payee can lose by a call, whatever the plans.
create or replace function price_calls_1(p_alike calls_alike[])
returns setof money_of_level language sql stable as $$
  select
    campaign_id,
    level,
    payer_id,
    payee_id,
    sum(calls * paisa)::bigint,
    sum(calls)::bigint
  from (
    select
      l.campaign_id,
      l.level,
      l.payer_id,
      l.payee_id,
      c.calls,
      least(c.reserved_paisa, min(p.pulses * l.pulse_paisa) over up) as paisa
    from unnest(p_alike) c
    join campaign_level l on l.campaign_id = c.campaign_id
    cross join lateral (
      select pulses(c.bill_ms, l.pulse_ms) + pulses(c.patch_bill_ms, l.pulse_ms) as pulses
    ) p
    window up as (
      partition by c.campaign_id, c.reserved_paisa, c.bill_ms, c.patch_bill_ms
      order by l.level
    )
  ) priced
  where paisa > 0
  group by campaign_id, level, payer_id, payee_id
$$;
