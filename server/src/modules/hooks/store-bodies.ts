/** What an event is about, read when it is sent. */
import type { SmsState } from '../../db/tables.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'

/** Undefined when it was deleted. */
export async function campaignNamed(
  db: Db,
  campaignId: number,
  ofMessages: boolean,
): Promise<{ name: string } | undefined> {
  const [detail, deleted] = ofMessages
    ? [sql.table('sms_campaign_detail'), sql.table('sms_campaign_deleted')]
    : [sql.table('campaign_detail'), sql.table('campaign_deleted')]
  const { rows } = await sql<{ name: string }>`
    select d.name
    from ${detail} d
    where d.campaign_id = ${campaignId}
      and not exists (select from ${deleted} x where x.campaign_id = d.campaign_id)`.execute(db)
  return rows[0]
}

export type Call = {
  id: number
  line: number | null
  phone: number
  attempt_no: number
  disposition: string
  started_at: Date
  answered_at: Date | null
  ended_at: Date
  bill_ms: number | null
  pulses: number
  cost_paisa: number
  keys: string | null
  trail: string | null
}

export async function callsNamed(db: Db, ids: readonly number[]): Promise<Call[]> {
  const { rows } = await sql<Call>`
    select
      t.id,
      c.line,
      t.phone,
      t.attempt_no,
      t.disposition,
      t.started_at,
      t.answered_at,
      t.ended_at,
      t.bill_ms,
      t.pulses,
      t.cost_paisa,
      t.keys,
      t.trail
    from attempt t
    left join campaign_contact c on c.campaign_id = t.campaign_id and c.no = t.no
    where t.id = any (${[...ids]}::bigint[])
    order by t.id`.execute(db)
  return rows
}

export type Message = {
  no: number
  line: number
  phone: number
  state: SmsState
  segments: number
  submitted_at: Date | null
  final_at: Date | null
  reason: string | null
  /** What the program that sent it calls it. */
  reference: string | null
}

export async function messagesNamed(db: Db, campaignId: number, nos: readonly number[]): Promise<Message[]> {
  const { rows } = await sql<Message>`
    select m.no, m.line, m.phone, m.state, m.segments, m.submitted_at, m.final_at, m.reason, s.reference
    from sms_message m
    left join api_send s using (campaign_id, no)
    where m.campaign_id = ${campaignId} and m.no = any (${[...nos]}::int[])
    order by m.no`.execute(db)
  return rows
}

export async function incomingNamed(db: Db, id: number) {
  return await db
    .selectFrom('sms_inbox as i')
    .select(['i.id', 'i.phone', 'i.from_number', 'i.to_number', 'i.text', 'i.received_at', 'i.action', 'i.campaign_id'])
    .where('i.id', '=', id)
    .executeTakeFirst()
}

export async function balanceOf(db: Db, userId: number): Promise<{ paisa: number; limit: number } | undefined> {
  const { rows } = await sql<{ paisa: number; limit: number }>`
    select
      a.balance_paisa + (
        select coalesce(sum(paisa), 0) from account_income i where i.account_id = a.id
      )::bigint as paisa,
      a.low_balance_paisa as limit
    from account a
    where a.id = ${userId}`.execute(db)
  return rows[0]
}

export async function exportNamed(db: Db, id: number) {
  return await db
    .selectFrom('export')
    .select(['id', 'kind', 'format', 'file_name', 'rows', 'expires_at'])
    .where('id', '=', id)
    .where('status', '=', 'ready')
    .executeTakeFirst()
}
