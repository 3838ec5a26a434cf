import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'

type Ended = { id: number; rows: number }

/** Campaigns that ended within a day, with their calls: the last ones until they have `rowsMax` together. None while the counters are far behind. */
export async function endedCampaigns(db: Db, rowsMax: number): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    select id, rows from (
      select campaign_id as id, attempts as rows, (sum(attempts) over (order by finished_at desc, campaign_id) - attempts) as before
        from campaign_progress where finished_at > now() - interval '1 day' and start_at > now() - interval '31 days'
    ) ended
    where before < ${rowsMax} and id not in (select campaign_id from campaign_deleted)
      and (select count(*) from (select from attempt_news limit 1000) waits) < 1000
    order by before`.execute(db)
  return rows
}

export async function endedSmsCampaigns(db: Db, rowsMax: number): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    select id, rows from (
      select campaign_id as id, uploaded as rows, (sum(uploaded) over (order by finished_at desc, campaign_id) - uploaded) as before
        from sms_campaign_progress where finished_at > now() - interval '1 day' and start_at > now() - interval '31 days'
    ) ended
    where before < ${rowsMax} and (select count(*) from (select from sms_news limit 1000) waits) < 1000
    order by before`.execute(db)
  return rows
}

/** These campaigns. Null: all. */
export const ofThose = (ids: readonly number[] | null, column: string) =>
  ids === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = any (${ids}::int[])`

/**
 * Differences between counters, calls and summary of a campaign, as sentences. Null: of all campaigns. What is not counted yet is left out on
 * both sides.
 */
export async function countFaults(db: Db, ids: readonly number[] | null): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    with waits as materialized (select unnest(ids) as id from attempt_news
    ), archived as materialized (select p.campaign_id from archive_part p join archive f on f.id = p.archive_id where f.parent = 'attempt'
    ), calls as materialized (
      select campaign_id, coalesce(a.account_id, c.account_id) as account_id, nepal_minute(a.started_at) / 1440 as day, count(*) as attempts, count(*) filter (where disposition = 'ANSWER') as answered,
        count(*) filter (where disposition in ('BUSY', 'NO ANSWER', 'REJECTED')) as unanswered, count(keys) as keyed, coalesce(sum(bill_ms), 0) as talk_ms, sum(pulses) as pulses, sum(cost_paisa) as cost_paisa
      from attempt a join campaign c on c.id = a.campaign_id
      where ${ofThose(ids, 'campaign_id')} and a.campaign_id not in (select campaign_id from archived) and a.id not in (select id from waits) group by 1, 2, 3
    ), viewers as materialized (select v.* from (select array_agg(distinct account_id) as owners from calls) o, counted_for(o.owners) v
    ), counted as materialized (
      select key::int as campaign_id, account_id, at as day, sum(attempts) as attempts, sum(answered) as answered, sum(busy + no_answer + rejected) as unanswered, sum(keyed) as keyed,
        sum(talk_ms) as talk_ms, sum(pulses) as pulses, sum(cost_paisa) as cost_paisa
      from call_count where slice = 'day' and kind = 'campaign' and account_id = any (array(select viewer_id from viewers))
        and at between (select min(day) from calls) and (select max(day) from calls) and ${ofThose(ids, 'key')} and key not in (select campaign_id from archived) group by 1, 2, 3
    ), reported as (select v.viewer_id, c.* from calls c join viewers v on v.account_id = c.account_id
    )
    select format('campaign %s, account %s, day %s: %s calls counted of %s, %s paisa of %s', coalesce(t.campaign_id, k.campaign_id), coalesce(t.viewer_id, k.account_id),
        coalesce(t.day, k.day), coalesce(k.attempts, 0), coalesce(t.attempts, 0), coalesce(k.cost_paisa, 0), coalesce(t.cost_paisa, 0)) as text
    from reported t full join counted k on k.campaign_id = t.campaign_id and k.account_id = t.viewer_id and k.day = t.day
    left join campaign_deleted g on g.campaign_id = t.campaign_id -- its keys are gone
    where (t.attempts, t.answered, t.unanswered, case when g is null then t.keyed else k.keyed end, t.talk_ms, t.pulses, t.cost_paisa)
      is distinct from (k.attempts, k.answered, k.unanswered, k.keyed, k.talk_ms, k.pulses, k.cost_paisa)
    union all
    select format('campaign %s: its summary has %s calls of %s and %s paisa of %s', s.campaign_id, s.attempts, t.attempts, s.cost_paisa, t.cost_paisa)
    from (select campaign_id, sum(attempts) as attempts, sum(answered) as answered, sum(pulses) as pulses, sum(cost_paisa) as cost_paisa from campaign_count
          where ${ofThose(ids, 'campaign_id')} group by 1) s
    join (select campaign_id, sum(attempts) as attempts, sum(answered) as answered, sum(pulses) as pulses, sum(cost_paisa) as cost_paisa from calls group by 1) t on t.campaign_id = s.campaign_id
    where (s.attempts, s.answered, s.pulses, s.cost_paisa) is distinct from (t.attempts, t.answered, t.pulses, t.cost_paisa)
      and not exists (select from attempt a join waits w on w.id = a.id where a.campaign_id = s.campaign_id)
    limit 20`.execute(db)
  return rows.map(({ text }) => text)
}

/** Differences between the sums of the counters by day, hour and key, as sentences: of one account, or of all when it is null. */
export async function sumFaults(
  db: Db,
  accountId: number | null,
  days: { from: number; to: number },
): Promise<string[]> {
  const theirs = accountId === null ? sql<boolean>`true` : sql<boolean>`account_id = ${accountId}`
  const { rows } = await sql<{ text: string }>`
    with sums as materialized (
      select account_id, slice, kind, case slice when 'hour' then at / 24 else at end as day, sum(attempts) as attempts, sum(answered) as answered, sum(cost_paisa) as cost_paisa,
        sum(paid_paisa) as paid_paisa, sum(received_paisa) as received_paisa
      from call_count where slice in ('hour', 'day') and kind not in ('customer', 'agent') and ${theirs}
        and at between case slice when 'hour' then ${days.from}::int * 24 else ${days.from} end and case slice when 'hour' then ${days.to}::int * 24 + 23 else ${days.to} end
      group by 1, 2, 3, 4
    )
    select format('account %s, day %s: %s by %s and %s, %s in all', s.account_id, s.day, s.attempts, s.slice, s.kind, t.attempts) as text
    from sums s left join sums t on t.account_id = s.account_id and t.day = s.day and t.slice = 'day' and t.kind = 'all'
    where (s.attempts, s.answered, s.cost_paisa, s.paid_paisa, s.received_paisa) is distinct from (t.attempts, t.answered, t.cost_paisa, t.paid_paisa, t.received_paisa)
    limit 20`.execute(db)
  return rows.map(({ text }) => text)
}

/**
 * Differences between ledger, statement and counters in what an account paid or got for a campaign, as sentences. It reads every transfer, so
 * only tests use it.
 */
export async function moneyFaults(db: Db): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    with counted as (
      select 'calls' as what, account_id, key::int as campaign_id, sum(paid_paisa) as paid, sum(received_paisa) as received from call_count where slice = 'day' and kind = 'campaign' group by 2, 3
      union all select 'sms', account_id, key::int, sum(paid_paisa), sum(received_paisa) from sms_count where slice = 'day' and kind = 'campaign' group by 2, 3
    ), moved as (
      select kind::text as what, payer_id as account_id, coalesce(campaign_id, sms_campaign_id) as campaign_id, amount_paisa as paid, 0 as received from transfer where kind in ('calls', 'sms')
      union all select kind::text, payee_id, coalesce(campaign_id, sms_campaign_id), 0, amount_paisa from transfer where kind in ('calls', 'sms')
    ), ledger as (select what, account_id, campaign_id, sum(paid) as paid, sum(received) as received from moved group by 1, 2, 3
    ), stated as (
      select case when campaign_id is null then 'sms' else 'calls' end as what, account_id, coalesce(campaign_id, sms_campaign_id) as campaign_id, sum(amount_paisa) as paisa
      from credit_entry where num_nonnulls(campaign_id, sms_campaign_id) = 1 group by 1, 2, 3
    )
    select format('%s of campaign %s, account %s: ledger %s and %s, counters %s and %s, statement %s paisa', what, campaign_id, account_id, coalesce(l.paid, 0), coalesce(l.received, 0),
        coalesce(k.paid, 0), coalesce(k.received, 0), coalesce(s.paisa, 0)) as text
    from counted k full join ledger l using (what, account_id, campaign_id) full join stated s using (what, account_id, campaign_id)
    where (coalesce(k.paid, 0), coalesce(k.received, 0)) is distinct from (coalesce(l.paid, 0), coalesce(l.received, 0))
      or coalesce(s.paisa, 0) <> coalesce(l.received, 0) - coalesce(l.paid, 0)
    limit 20`.execute(db)
  return rows.map(({ text }) => text)
}

/**
 * Differences between the counters of messages and the messages, as sentences. Null: of all campaigns. Those of which something is not counted
 * yet are left out.
 */
export async function messageFaults(db: Db, ids: readonly number[] | null): Promise<string[]> {
  const bounded =
    ids === null
      ? sql<boolean>`true`
      : sql<boolean>`account_id = any (array(select viewer_id from viewers)) and at between (select min(day) from sent) and (select max(last_day) from sent)`
  const { rows } = await sql<{ text: string }>`
    with waits as materialized (select s.campaign_id from (select unnest(ids) as id from sms_news) n join sms_sent s using (id)
    ), archived as materialized (select p.campaign_id from archive_part p join archive f on f.id = p.archive_id where f.parent = 'sms_sent'
    ), left_out as materialized (select campaign_id from waits union select campaign_id from archived
    ), sent as materialized (
      select account_id, campaign_id, min(nepal_minute(claimed_at) / 1440) as day, max(nepal_minute(claimed_at) / 1440) as last_day, count(*) as messages, count(*) filter (where accepted > 0) as accepted, count(*) filter (where result = 'refused') as refused,
        count(*) filter (where result = 'unknown') as unknown, sum(accepted) as segments, sum(cost_paisa) as cost_paisa from sms_sent
      where ${ofThose(ids, 'campaign_id')} and campaign_id not in (select campaign_id from left_out) group by 1, 2
    ), viewers as materialized (select v.* from (select array_agg(distinct account_id) as owners from sent) o, counted_for(o.owners) v
    ), received as (
      select s.campaign_id, count(*) filter (where m.state = 'delivered') as delivered, count(*) filter (where m.state in ('failed', 'expired')) as undelivered
      from sms_message m join sms_sent s on s.id = m.sms_id and s.result <> 'refused' where ${ofThose(ids, 'm.campaign_id')} group by 1
    ), reported as (
      select v.viewer_id, s.campaign_id, s.messages, s.accepted, s.refused, s.unknown, s.segments, s.cost_paisa, coalesce(r.delivered, 0) as delivered, coalesce(r.undelivered, 0) as undelivered
      from sent s left join received r on r.campaign_id = s.campaign_id join viewers v on v.account_id = s.account_id
    ), counted as (
      select account_id, key::int as campaign_id, sum(messages) as messages, sum(accepted) as accepted, sum(refused) as refused, sum(unknown) as unknown, sum(segments) as segments,
        sum(cost_paisa) as cost_paisa, sum(delivered) as delivered, sum(undelivered) as undelivered from sms_count
      where slice = 'day' and kind = 'campaign' and ${bounded} and ${ofThose(ids, 'key')} and key not in (select campaign_id from left_out) group by 1, 2
    )
    select format('messages of campaign %s, account %s: %s counted of %s, %s delivered of %s', coalesce(t.campaign_id, k.campaign_id), coalesce(t.viewer_id, k.account_id),
        coalesce(k.messages, 0), coalesce(t.messages, 0), coalesce(k.delivered, 0), coalesce(t.delivered, 0)) as text
    from reported t full join counted k on k.account_id = t.viewer_id and k.campaign_id = t.campaign_id
    left join sms_campaign_deleted g on g.campaign_id = t.campaign_id -- its messages are gone, what was sent is not
    where (t.messages, t.accepted, t.refused, t.unknown, t.segments, t.cost_paisa, case when g is null then t.delivered else k.delivered end)
      is distinct from (k.messages, k.accepted, k.refused, k.unknown, k.segments, k.cost_paisa, k.delivered)
    limit 20`.execute(db)
  return rows.map(({ text }) => text)
}
