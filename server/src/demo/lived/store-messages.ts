import { sql } from 'kysely'
import type { Tx } from '../../db/db.ts'
import { partitioned } from '../../db/schema/partitions.ts'
import type { PastMessage } from './messages.ts'
import type { Month } from './store-calls.ts'

/** Which messages are written: in a temporary table of the transaction, with their batches of money, from the oldest on. */
export async function stageMessages(tx: Tx, messages: readonly PastMessage[], gatewayId: number): Promise<void> {
  await sql`create temp table past_message on commit drop as
    select s.*, m.state, m.final_at from sms_sent s, sms_message m with no data`.execute(tx)
  await sql`
    insert into past_message (claimed_at, settled_at, campaign_id, no, account_id, gateway_id, phone, operator, result, segments, accepted,
      cost_paisa, code, reason, state, final_at)
    select m.claimed_at, m.settled_at, m.campaign_id, m.no, m.account_id, ${gatewayId}, m.phone, m.operator, m.result, m.segments, m.accepted,
           m.cost_paisa, m.code, m.reason, m.state, m.final_at
      from json_populate_recordset(null::past_message, ${JSON.stringify(messages)}::json) m order by m.claimed_at`.execute(
    tx,
  )
  await sql`
    with batches as (
      select campaign_id, nextval('batch_id') as batch_id from past_message where cost_paisa > 0 group by 1
    )
    update past_message m set batch_id = b.batch_id from batches b where b.campaign_id = m.campaign_id and m.cost_paisa > 0`.execute(
    tx,
  )
}

/** The month's messages, in a partition of their own, which is the newest. */
export async function writeMessages(tx: Tx, { from, to }: Month): Promise<void> {
  const { parent, ids } = partitioned.messages
  await sql`
    with numbered as (
      select p.campaign_id, p.no, m.first_id + row_number() over (order by p.claimed_at, p.campaign_id, p.no) as id
        from past_message p, partition_month m
       where m.parent = ${parent} and m.month = ${from}::date
         and nepal_day(p.claimed_at) >= ${from}::date and nepal_day(p.claimed_at) < ${to}::date
    )
    update past_message p set id = n.id from numbered n where n.campaign_id = p.campaign_id and n.no = p.no`.execute(tx)
  await sql`
    insert into sms_sent (id, batch_id, claimed_at, settled_at, campaign_id, no, account_id, gateway_id, phone, operator, result, segments,
      accepted, cost_paisa, code, reason)
    select id, batch_id, claimed_at, settled_at, campaign_id, no, account_id, gateway_id, phone, operator, result, segments,
           accepted, cost_paisa, code, reason
      from past_message where nepal_day(claimed_at) >= ${from}::date and nepal_day(claimed_at) < ${to}::date order by id`.execute(
    tx,
  )
  await sql`select setval(${ids}::regclass, max(id)) from past_message having max(id) is not null`.execute(tx)
}

/** What became of the messages. */
export async function writeReceipts(tx: Tx): Promise<void> {
  await sql`
    update sms_message m
       set state = p.state, sms_id = p.id, gateway_id = p.gateway_id, submitted_at = case when p.accepted > 0 then p.settled_at end,
           final_at = p.final_at, reason = p.reason, parts_left = case p.state when 'submitted' then p.segments else 0 end,
           parts_bad = (p.accepted > 0 and p.state in ('failed', 'expired'))::int
      from past_message p where m.campaign_id = p.campaign_id and m.no = p.no`.execute(tx)
  await sql`
    insert into sms_news (what, ids)
    select what, array_agg(id) from (
      select (case state when 'delivered' then 'delivered' else 'undelivered' end)::sms_news_kind as what, id
        from past_message where accepted > 0 and state in ('delivered', 'failed', 'expired')) told group by 1`.execute(
    tx,
  )
}

/** The sums, and each campaign's end. */
export async function writeSmsCampaigns(tx: Tx): Promise<void> {
  await sql`
    update sms_campaign_count k
       set fresh = 0, submitted = s.submitted, delivered = s.delivered, failed = s.failed, expired = s.expired, accepted = s.accepted,
           segments = s.segments, cost_paisa = s.cost_paisa
      from (select campaign_id, count(*) filter (where state = 'submitted') as submitted, count(*) filter (where state = 'delivered') as delivered,
                   count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'expired') as expired,
                   count(*) filter (where accepted > 0) as accepted, sum(accepted) as segments, sum(cost_paisa) as cost_paisa
              from past_message group by 1) s
     where k.campaign_id = s.campaign_id and k.slot = 0`.execute(tx)
  await sql`update sms_stream set fresh_next = fresh_end where campaign_id in (select campaign_id from past_message)`.execute(
    tx,
  )
  await sql`update sms_campaign set status = 'running' where id in (select campaign_id from past_message)`.execute(tx)
  await sql`update sms_campaign set status = 'complete' where id in (select campaign_id from past_message)`.execute(tx)
  await sql`select sms_write_progress(array(select distinct campaign_id from past_message))`.execute(tx)
  await sql`
    with ends as (select campaign_id, max(coalesce(final_at, settled_at)) + interval '2 seconds' as at from past_message group by 1
    ), dated as (
      update sms_campaign_event e
         set at = case e.to_status when 'ready' then c.start_at - interval '1 second' when 'running' then c.start_at else x.at end
        from sms_campaign c join ends x on x.campaign_id = c.id where e.campaign_id = c.id
    ), noticed as (
      update notice n set at = x.at, first_at = x.at from ends x where n.subject_id = x.campaign_id and n.kind = 'smsComplete'
    )
    update sms_campaign_progress p set finished_at = x.at from ends x where p.campaign_id = x.campaign_id`.execute(tx)
}
