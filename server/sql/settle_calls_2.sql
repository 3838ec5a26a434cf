-- Settles outcomes of any campaigns and of all dialers that an engine holds: history, rows,
-- retries, the money of every level, counters, texts and numbers. Answers what counted (o_done).
--
-- Each outcome comes under a lease, of which p_lease has the place, and counts only while that
-- lease is ours and the attempt is of its dialer: one that is lost takes nothing from the others.
--
-- p_account lets nobody wait for an account that somebody else has locked, or for what an account
-- above it earns, or for its channels: what is of it is left out, and o_locked names it. Where that
-- shows only once a part has begun, all is undone and begun again without it. Such outcomes are
-- written apart, with p_waits, which waits for their accounts while nothing is locked here: neither
-- a lease nor what others of the engine need. Null: not looked at, everything is waited for.
--
-- An attempt that is not open (settled before, or closed by a takeover) changes nothing. Of several
-- outcomes of one attempt the first counts, so it does not matter how outcomes are split into
-- batches.
--   ANSWER, INVALID and LOST are final whatever the retry says.
--   CONGESTION and CANCEL use up no attempt.
--   CANCEL puts the row back where it came from, by way of the queue of its stream. A Call Now goes
--   back only when its outcome says so, since an agent who did not answer is not called again.
--
-- The parts lock in their order: fence, end, texts, pay, count, ask, free. Each sees what was
-- committed before it began, so what it reads under a lock is true. They hand on sums, not rows,
-- which would cost twice as much.
create or replace function settle_calls_2(
  p_dialers int[], -- of the leases
  p_engines text[],
  p_epochs bigint[],
  p_waits boolean, -- for accounts that others have locked
  p_slot int, -- of account_income and the counters
  p_follower_ms int, -- until the next row of a number whose row is final is due
  p_lease int[], -- of each outcome: the place of its lease
  p_account int[], -- whose campaign it is; null: locked accounts are not looked for
  p_id bigint[], -- attempts; of several outcomes of one the first counts
  p_disposition disposition[],
  p_started_at timestamptz[],
  p_answered_at timestamptz[],
  p_ended_at timestamptz[], -- null: now
  p_bill_ms int[], -- null: not answered
  p_patch_bill_ms int[], -- of the leg to an agent; null: none was answered
  p_sip_status smallint[],
  p_q850_cause smallint[],
  p_ended_by call_ender[],
  p_keys text[], -- '' for none
  p_agent text[],
  p_recording uuid[],
  p_retry_ms int[], -- until the row may be called again; null: final
  p_unheard boolean[], -- a prompt failed: it is free
  p_trail text[],
  p_agent_missed agent_missed[],
  p_agent_counts boolean[], -- the leg of the agent that the call still has
  p_alerted boolean[],
  p_alerted_at timestamptz[],
  out o_done bigint[],
  out o_locked int[]
) language plpgsql as $$
#variable_conflict use_column
declare
  ids bigint[];
  unlocked int[];
  busy int[];
  busy_earners int[];
  busy_campaigns int[];
  skipped int[];
  leases int[];
  money money_of_campaign[];
  alike calls_alike[];
  levels money_of_level[];
  counts counts_of_calls[];
  campaigns int[];
  -- calls of each dialer and campaign
  call_dialers int[];
  call_campaigns int[];
  calls int[];
  -- what messages of our own may cost
  text_accounts int[];
  text_paisa bigint[];
  -- trails of each campaign, of which few differ, with how many calls had them
  trail_campaigns int[];
  trails text[];
  trail_calls bigint[];
  -- numbers that are free again, with the day for which their call counts
  number_ids bigint[];
  phones bigint[];
  phone_accounts int[];
  phone_days date[];
  phone_answers int[];
begin
  -- apart: the locks end with the error, since messages are locked before accounts
  if p_account is not null then
    begin
      if p_waits then
        perform
        from account
        where id = any (p_account)
        order by id
        for no key update;
      else
        unlocked := array(
          select id
          from account
          where id = any (p_account)
          order by id
          for no key update skip locked
        );
      end if;
      raise exception using errcode = 'GH001';
    exception when sqlstate 'GH001' then
      if not p_waits then
        o_locked := array(
          select id from account where id = any (p_account) and id <> all (unlocked)
        );
      end if;
    end;
  end if;

  -- Each time round fewer accounts are left, so it ends. Variables keep what they had.
  loop
    begin
      text_accounts := null;

      -- fence: rebuild_numbers, too, either waits for this batch or is waited for, with no lock
      lock table number_use, number_use_others in row exclusive mode;

      leases := array(
        select t.place
        from unnest(p_dialers, p_engines, p_epochs) with ordinality
          as t (dialer_id, engine_id, epoch, place)
        join dialer_lease l
          on l.dialer_id = t.dialer_id
          and l.engine_id = t.engine_id
          and l.epoch = t.epoch
        where l.expires_at > clock_timestamp()
        order by l.dialer_id
        for share of l
      );
      if leases = '{}' then
        return;
      end if;

      -- end
      with outcomes as materialized (
        select distinct on (outcome_id) *
        from unnest(
          p_lease,
          p_account,
          p_id,
          p_disposition,
          p_started_at,
          p_answered_at,
          p_ended_at,
          p_bill_ms,
          p_patch_bill_ms,
          p_sip_status,
          p_q850_cause,
          p_ended_by,
          p_keys,
          p_agent,
          p_recording,
          p_retry_ms,
          p_unheard,
          p_trail,
          p_agent_missed,
          p_agent_counts,
          p_alerted,
          p_alerted_at
        ) with ordinality as t (
          lease,
          outcome_account_id,
          outcome_id,
          disposition,
          begun_at,
          answered_at,
          ended_at,
          bill_ms,
          patch_bill_ms,
          sip_status,
          q850_cause,
          ended_by,
          keys,
          talked_to,
          recording,
          outcome_retry_ms,
          unheard,
          trail,
          agent_missed,
          agent_counts,
          alerted,
          alerted_at,
          outcome_no
        )
        where lease = any (leases)
          and (o_locked is null or outcome_account_id <> all (o_locked))
        order by outcome_id, outcome_no
      ), attempts as (
        delete from attempt_open o
        where o.id = any (p_id)
          -- by a hash of what was reported, whatever its size is taken for
          and ((o.id, o.dialer_id) in (select outcome_id, p_dialers[lease] from outcomes)) is true
        returning o.*
      ), ends as materialized ( -- joined in full, since nobody can say how many they are
        select
          o.id,
          o.dialer_id,
          o.epoch,
          o.campaign_id,
          o.no,
          o.attempt_no,
          o.account_id,
          o.phone,
          o.reserved_paisa,
          o.started_at,
          o.agent,
          o.message_paisa,
          o.trunk_id,
          o.cli_id,
          o.operator,
          o.kind,
          o.tried,
          o.stream,
          o.agents_counted,
          t.*,
          r.retry_ms,
          p.pulses,
          p.pulses * l.pulse_paisa as cost_paisa,
          least(o.reserved_paisa, p.pulses * l.pulse_paisa) as paid_paisa,
          case
            when r.retry_ms is null then 'done'
            when t.disposition = 'CANCEL' then o.from_state
            else 'waiting'
          end as state
        from attempts o
        full join outcomes t on t.outcome_id = o.id
        left join campaign_level l on l.campaign_id = o.campaign_id and l.level = 0
        cross join lateral (
          select
            case when t.unheard then 0
            else pulses(t.bill_ms, l.pulse_ms) + pulses(t.patch_bill_ms, l.pulse_ms) end as pulses
        ) p
        cross join lateral (
          select
            case
              when t.disposition = 'CANCEL' and o.kind is distinct from 'callNow'
                then coalesce(t.outcome_retry_ms, 0)
              when t.disposition not in ('ANSWER', 'INVALID', 'LOST') then t.outcome_retry_ms
            end as retry_ms
        ) r
        where coalesce(o.id, 0) > 0
      ), steps as (
        delete from attempt_step s
        where s.attempt_id = any (array(select id from ends))
      ), sums as materialized (
        select
          campaign_id,
          account_id,
          case when sum(paid_paisa) > 0 then nextval('batch_id') end as batch_id,
          sum(reserved_paisa + message_paisa)::bigint as released_paisa,
          sum(paid_paisa)::bigint as paid_paisa,
          sum(cost_paisa - paid_paisa)::bigint as uncollected_paisa,
          sum(pulses)::bigint as pulses,
          count(nullif(keys, ''))::int as dtmf,
          count(*)::int as calls,
          count(*) filter (where state = 'fresh')::int as fresh,
          count(*) filter (where state = 'waiting')::int as waiting,
          count(*) filter (where state = 'done')::int as done,
          count(*) filter (where disposition = 'ANSWER')::int as answered,
          count(*) filter (where disposition = 'NO ANSWER')::int as no_answer,
          count(*) filter (where disposition = 'BUSY')::int as busy,
          count(*) filter (where disposition = 'CONGESTION')::int as congestion,
          count(*) filter (where disposition = 'FAILED')::int as failed,
          count(*) filter (where disposition = 'CANCEL')::int as cancel,
          count(*) filter (where disposition = 'INVALID')::int as invalid,
          count(*) filter (where disposition = 'REJECTED')::int as rejected,
          count(*) filter (where disposition = 'LOST')::int as lost
        from ends
        group by campaign_id, account_id
      ), history as (
        insert into attempt (
          id,
          batch_id,
          claimed_at,
          started_at,
          answered_at,
          ended_at,
          phone,
          epoch,
          cost_paisa,
          uncollected_paisa,
          campaign_id,
          no,
          pulses,
          bill_ms,
          patch_bill_ms,
          attempt_no,
          disposition,
          sip_status,
          q850_cause,
          ended_by,
          keys,
          agent,
          recording,
          unheard,
          trail,
          agent_missed,
          alerted,
          account_id,
          trunk_id,
          tried,
          cli_id,
          operator,
          kind,
          alerted_at,
          agents_counted
        )
        select
          e.id,
          case when e.paid_paisa > 0 then s.batch_id end,
          e.started_at,
          coalesce(e.begun_at, e.started_at),
          e.answered_at,
          coalesce(e.ended_at, now()),
          e.phone,
          e.epoch,
          e.paid_paisa,
          e.cost_paisa - e.paid_paisa,
          e.campaign_id,
          e.no,
          e.pulses,
          e.bill_ms,
          e.patch_bill_ms,
          e.attempt_no,
          e.disposition,
          e.sip_status,
          e.q850_cause,
          e.ended_by,
          nullif(e.keys, ''),
          e.talked_to,
          e.recording,
          e.unheard,
          e.trail,
          e.agent_missed,
          e.alerted,
          e.account_id,
          e.trunk_id,
          e.tried,
          e.cli_id,
          e.operator,
          e.kind,
          e.alerted_at,
          case
            when e.agent_counts and e.agent <> e.phone then e.agents_counted || e.agent
            else e.agents_counted
          end
        from ends e
        left join sums s on s.campaign_id = e.campaign_id
      ), contacts as (
        update campaign_contact c
        set
          state = e.state,
          disposition = e.disposition,
          attempts = case when e.disposition = 'CONGESTION' then c.attempts else e.attempt_no end,
          congestions = c.congestions + (e.disposition = 'CONGESTION')::int,
          failures = c.failures + (e.disposition in ('FAILED', 'REJECTED'))::int
        from ends e
        where (e.disposition <> 'CANCEL' or e.retry_ms is null)
          and c.campaign_id = e.campaign_id
          and c.no = e.no
        returning c.campaign_id, c.state, c.follower_no, e.stream
      ), queue as (
        insert into contact_retry (campaign_id, stream, due_at, no)
        select campaign_id, stream, now() + retry_ms * interval '1 ms', no
        from ends
        where retry_ms is not null
        union all
        select campaign_id, stream, now() + p_follower_ms * interval '1 ms', follower_no
        from contacts
        where state = 'done'
          and follower_no is not null
      ), alike as ( -- to the second, since every pulse is of whole seconds
        select
          campaign_id,
          reserved_paisa,
          (bill_ms + 999) / 1000 * 1000 as bill_ms,
          (patch_bill_ms + 999) / 1000 * 1000 as patch_bill_ms,
          count(*) as calls
        from ends
        where paid_paisa > 0
        group by 1, 2, 3, 4
      ), numbers as ( -- of customers, and of agents, whose calls are those of account 0
        select
          id,
          phone,
          account_id,
          case when counts_for_day(disposition, alerted) then nepal_day(started_at) end as day,
          (disposition = 'ANSWER')::int as answered
        from ends
        union all
        select id, agent, 0, case when agent_counts then nepal_day(now()) end, 0
        from ends
        where agent <> phone
      ), trail_counts as (
        select campaign_id, trail, count(*) as n
        from ends
        where trail is not null
        group by campaign_id, trail
      )
      select
        (select array_agg(id) from ends),
        s.money,
        s.counts,
        s.campaigns,
        c.dialers,
        c.campaigns,
        c.calls,
        (
          select
            array_agg(row(campaign_id, reserved_paisa, bill_ms, patch_bill_ms, calls)::calls_alike)
          from alike
        ),
        h.campaigns,
        h.trails,
        h.calls,
        n.ids,
        n.phones,
        n.accounts,
        n.days,
        n.answers
      into
        ids,
        money,
        counts,
        campaigns,
        call_dialers,
        call_campaigns,
        calls,
        alike,
        trail_campaigns,
        trails,
        trail_calls,
        number_ids,
        phones,
        phone_accounts,
        phone_days,
        phone_answers
      from (
        select
          array_agg(campaign_id) as campaigns,
          array_agg(
            row(campaign_id, account_id, batch_id, released_paisa, paid_paisa)::money_of_campaign
          ) as money,
          array_agg(
            row(
              campaign_id,
              calls,
              fresh,
              waiting,
              done,
              answered,
              no_answer,
              busy,
              congestion,
              failed,
              cancel,
              invalid,
              rejected,
              lost,
              dtmf,
              pulses,
              paid_paisa,
              uncollected_paisa
            )::counts_of_calls
          ) as counts
        from sums
      ) s
      cross join (
        select
          array_agg(dialer_id) as dialers,
          array_agg(campaign_id) as campaigns,
          array_agg(n) as calls
        from (
          select dialer_id, campaign_id, count(*)::int as n
          from ends
          group by dialer_id, campaign_id
        ) c
      ) c
      cross join (
        select
          array_agg(campaign_id) as campaigns,
          array_agg(trail) as trails,
          array_agg(n) as calls
        from trail_counts
      ) h
      cross join (
        select
          array_agg(id) as ids,
          array_agg(phone) as phones,
          array_agg(account_id) as accounts,
          array_agg(day) as days,
          array_agg(answered) as answers
        from numbers
      ) n;
      if ids is null then
        return;
      end if;

      -- texts: few campaigns have any. Their messages are locked before the accounts, as where
      -- messages are settled.
      if exists (select from call_text where campaign_id = any (campaigns)) then
        select * into text_accounts, text_paisa from text_calls_1(p_slot, ids, campaigns);
      end if;

      -- pay
      select array_agg(l) into levels from price_calls_1(alike) l;
      if p_account is not null then
        select * into busy, busy_earners
        from lock_money_1(
          p_slot,
          array(select account_id from unnest(money)) || text_accounts,
          array(select payee_id from unnest(levels))
        );
        skipped := array(
          select m.account_id
          from unnest(money) m
          where m.account_id = any (busy)
            or exists (
              select
              from unnest(levels) l
              where l.campaign_id = m.campaign_id
                and l.payee_id = any (busy_earners)
            )
          intersect
          select unnest(p_account)
          except
          select unnest(o_locked)
        );
        if skipped <> '{}' then
          raise exception using errcode = 'GH002';
        end if;
      end if;
      perform post_money_2('calls', p_slot, money, levels);
      if text_accounts is not null then
        update account a
        set reserved_paisa = a.reserved_paisa + h.paisa
        from unnest(text_accounts, text_paisa) h (account_id, paisa)
        where a.id = h.account_id;
      end if;

      -- count
      insert into campaign_count as k (
        campaign_id,
        slot,
        in_call,
        fresh,
        waiting,
        done,
        attempts,
        answered,
        no_answer,
        busy,
        congestion,
        failed,
        cancel,
        invalid,
        rejected,
        lost,
        dtmf,
        pulses,
        cost_paisa,
        uncollected_paisa
      )
      select
        campaign_id,
        p_slot,
        -calls,
        fresh,
        waiting,
        done,
        calls,
        answered,
        no_answer,
        busy,
        congestion,
        failed,
        cancel,
        invalid,
        rejected,
        lost,
        dtmf,
        pulses,
        cost_paisa,
        uncollected_paisa
      from unnest(counts)
      order by campaign_id
      on conflict (campaign_id, slot) do update set
        in_call = k.in_call + excluded.in_call,
        fresh = k.fresh + excluded.fresh,
        waiting = k.waiting + excluded.waiting,
        done = k.done + excluded.done,
        attempts = k.attempts + excluded.attempts,
        answered = k.answered + excluded.answered,
        no_answer = k.no_answer + excluded.no_answer,
        busy = k.busy + excluded.busy,
        congestion = k.congestion + excluded.congestion,
        failed = k.failed + excluded.failed,
        cancel = k.cancel + excluded.cancel,
        invalid = k.invalid + excluded.invalid,
        rejected = k.rejected + excluded.rejected,
        lost = k.lost + excluded.lost,
        dtmf = k.dtmf + excluded.dtmf,
        pulses = k.pulses + excluded.pulses,
        cost_paisa = k.cost_paisa + excluded.cost_paisa,
        uncollected_paisa = k.uncollected_paisa + excluded.uncollected_paisa;

      if trails is not null then
        insert into campaign_tally as k (campaign_id, slot, mark, n)
        select t.campaign_id, p_slot, mark, sum(t.n)
        from unnest(trail_campaigns, trails, trail_calls) t (campaign_id, trail, n)
        cross join string_to_table(t.trail, ' ') mark
        group by t.campaign_id, mark
        order by t.campaign_id, mark
        on conflict (campaign_id, slot, mark) do update set n = k.n + excluded.n;
      end if;

      if exists (select from unnest(counts) where uncollected_paisa > 0) then
        insert into alert (kind, subject, detail)
        select 'uncollected', 'attempt ' || id, uncollected_paisa || ' paisa above its reservation'
        from attempt
        where id = any (ids)
          and uncollected_paisa > 0
        order by id;
      end if;

      -- ask
      if exists (select from after_call_option where campaign_id = any (campaigns)) then
        perform ask_after_calls_1(p_slot, ids, campaigns);
      end if;

      -- free
      if p_account is not null then
        busy_campaigns := lock_channels_1(call_dialers, call_campaigns);
        skipped := array(
          select account_id
          from unnest(money)
          where campaign_id = any (busy_campaigns)
          intersect
          select unnest(p_account)
          except
          select unnest(o_locked)
        );
        if skipped <> '{}' then
          raise exception using errcode = 'GH002';
        end if;
      end if;
      perform free_channels_2(call_dialers, call_campaigns, calls);
      perform free_numbers_1(number_ids, phones, phone_accounts, phone_days, phone_answers);
      o_done := ids;
      return;
    exception when sqlstate 'GH002' then
      o_locked := o_locked || skipped;
    end;
  end loop;
end
$$;
