import { sql } from 'kysely'
import type { Tx } from '../../db/db.ts'
import { partitioned } from '../../db/schema/partitions.ts'
import type { PastCall, PastRow } from './calls.ts'

/** Which calls are written: in a temporary table of the transaction, with their batches of money, from the oldest on. */
export async function stageCalls(tx: Tx, calls: readonly PastCall[]): Promise<void> {
  await sql`create temp table past_call on commit drop as select * from attempt with no data`.execute(tx)
  await sql`insert into past_call
    select c.* from json_populate_recordset(null::attempt, ${JSON.stringify(calls)}::json) c order by c.claimed_at`.execute(
    tx,
  )
  await sql`
    with batches as (
      select campaign_id, nepal_day(settled_at) as day, nextval('batch_id') as batch_id
        from (select campaign_id, settled_at from past_call where cost_paisa > 0 order by settled_at) paid
       group by campaign_id, nepal_day(settled_at)
    )
    update past_call c set batch_id = b.batch_id from batches b
     where b.campaign_id = c.campaign_id and b.day = nepal_day(c.settled_at) and c.cost_paisa > 0`.execute(tx)
}

/** Nepal's days: the first of the month, and the first of the next. */
export type Month = { from: string; to: string }

/** The month's calls, in a partition of their own, which is the newest. */
export async function writeCalls(tx: Tx, { from, to }: Month): Promise<void> {
  const { parent, ids } = partitioned.calls
  await sql`
    with numbered as (
      select c.campaign_id, c.no, c.claimed_at, m.first_id + row_number() over (order by c.claimed_at, c.campaign_id, c.no) as id
        from past_call c, partition_month m
       where m.parent = ${parent} and m.month = ${from}::date
         and nepal_day(c.claimed_at) >= ${from}::date and nepal_day(c.claimed_at) < ${to}::date
    )
    update past_call c set id = n.id from numbered n
     where n.campaign_id = c.campaign_id and n.no = c.no and n.claimed_at = c.claimed_at`.execute(tx)
  await sql`
    insert into attempt select * from past_call
     where nepal_day(claimed_at) >= ${from}::date and nepal_day(claimed_at) < ${to}::date order by id`.execute(tx)
  await sql`select setval(${ids}::regclass, max(id)) from past_call having max(id) is not null`.execute(tx)
}

/** Rows as their last calls left them, with the sums of their campaigns. */
export async function writeRows(tx: Tx, rows: readonly PastRow[]): Promise<void> {
  await sql`
    update campaign_contact c
       set state = r.state, disposition = r.disposition, attempts = r.attempts, congestions = r.congestions, failures = r.failures
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as r (campaign_id int, no int, state row_state, disposition disposition, attempts int, congestions int, failures int)
     where c.campaign_id = r.campaign_id and c.no = r.no`.execute(tx)
  await sql`
    insert into contact_retry (campaign_id, no, due_at)
    select campaign_id, no, due_at from json_to_recordset(${JSON.stringify(rows)}::json) as r (campaign_id int, no int, due_at timestamptz)
     where due_at is not null`.execute(tx)
  await sql`
    insert into campaign_tally (campaign_id, slot, mark, n)
    select campaign_id, 0, mark, count(*) from past_call, string_to_table(trail, ' ') mark group by 1, 3`.execute(tx)
  await sql`
    with rows as (
      select campaign_id, count(*) filter (where state = 'fresh') as fresh, count(*) filter (where state = 'waiting') as waiting,
             count(*) filter (where state = 'done') as done
        from campaign_contact where campaign_id in (select campaign_id from past_call) group by 1
    ), calls as (
      select campaign_id, count(*) as attempts, count(keys) as dtmf, sum(pulses) as pulses, sum(cost_paisa) as cost_paisa,
             count(*) filter (where disposition = 'ANSWER') as answered, count(*) filter (where disposition = 'NO ANSWER') as no_answer,
             count(*) filter (where disposition = 'BUSY') as busy, count(*) filter (where disposition = 'CONGESTION') as congestion,
             count(*) filter (where disposition = 'INVALID') as invalid, count(*) filter (where disposition = 'REJECTED') as rejected
        from past_call group by 1
    )
    update campaign_count k
       set fresh = r.fresh, waiting = r.waiting, done = r.done, attempts = c.attempts, dtmf = c.dtmf, pulses = c.pulses,
           cost_paisa = c.cost_paisa, answered = c.answered, no_answer = c.no_answer, busy = c.busy, congestion = c.congestion,
           invalid = c.invalid, rejected = c.rejected
      from rows r join calls c using (campaign_id) where k.campaign_id = r.campaign_id and k.slot = 0`.execute(tx)
}

/** Campaigns of which every row is done are complete, the others run on from their first row that was not called. */
export async function writeCampaigns(tx: Tx, next: ReadonlyMap<number, number>): Promise<void> {
  const places = JSON.stringify([...next].map(([id, no]) => ({ id, no })))
  await sql`
    update campaign c set status = 'running', fresh_next = p.no
      from json_to_recordset(${places}::json) as p (id int, no int) where c.id = p.id`.execute(tx)
  await sql`
    update campaign c set status = 'complete'
     where c.id in (select campaign_id from past_call) and not exists (
       select from campaign_contact r where r.campaign_id = c.id and r.state in ('fresh', 'waiting'))`.execute(tx)
  await sql`
    with ends as (select campaign_id, max(settled_at) + interval '2 seconds' as at from past_call group by 1
    ), dated as (
      update campaign_event e
         set at = case e.to_status when 'ready' then c.start_at - interval '1 second' when 'running' then c.start_at else x.at end
        from campaign c join ends x on x.campaign_id = c.id where e.campaign_id = c.id
    ), noticed as (
      update notice n set at = x.at, first_at = x.at from ends x where n.subject_id = x.campaign_id and n.kind = 'campaignComplete'
    )
    update campaign_progress p set finished_at = x.at from ends x where p.campaign_id = x.campaign_id and p.status = 'complete'`.execute(
    tx,
  )
  await sql`delete from summary_due`.execute(tx)
}
