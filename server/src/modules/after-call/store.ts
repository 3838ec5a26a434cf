import type { AfterCallCount, SmsOccasion } from '@ghanti/contract/after-call.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'

export type Option = { occasion: SmsOccasion; sealed: string; host: string; answeredMs: number }

export async function insertOptions(tx: Tx, campaignId: number, options: readonly Option[]): Promise<void> {
  await tx
    .insertInto('after_call_option')
    .values(
      options.map(({ occasion, sealed, host, answeredMs }) => ({
        campaign_id: campaignId,
        occasion,
        address_sealed: sealed,
        host,
        answered_ms: answeredMs,
      })),
    )
    .execute()
}

export async function countsOf(db: Db, campaignId: number): Promise<AfterCallCount[]> {
  const { rows } = await sql<AfterCallCount>`
    select o.occasion, o.host, (k.booked - k.sent - k.failed - k.unknown - k.cancelled)::int as waiting, k.sent::int, k.failed::int, k.unknown::int, k.cancelled::int
    from after_call_option o cross join lateral (
      select coalesce(sum(booked), 0) as booked, coalesce(sum(sent), 0) as sent, coalesce(sum(failed), 0) as failed, coalesce(sum(unknown), 0) as unknown,
        coalesce(sum(cancelled), 0) as cancelled
      from after_call_count where campaign_id = o.campaign_id and occasion = o.occasion) k
    where o.campaign_id = ${campaignId} order by o.occasion`.execute(db)
  return rows
}

export function messagesOf(db: Db, campaignId: number, attempts: readonly { no: number; id: number }[]) {
  return db
    .selectFrom('after_call_message')
    .select(['attempt_id', 'occasion', 'state', 'host', 'reason', 'due_at', 'ended_at'])
    .where('campaign_id', '=', campaignId)
    .where('no', 'in', [...new Set(attempts.map(({ no }) => no))])
    .where(
      'attempt_id',
      'in',
      attempts.map(({ id }) => id),
    )
    .orderBy('occasion')
    .execute()
}
export type MessageRow = Awaited<ReturnType<typeof messagesOf>>[number]

export async function messagesOfCalls(
  db: Db,
  calls: readonly { campaign_id: number; no: number; id: number }[],
): Promise<MessageRow[]> {
  const [campaigns, nos, ids] = [calls.map((c) => c.campaign_id), calls.map((c) => c.no), calls.map((c) => c.id)]
  const { rows } = await sql<MessageRow>`
    select m.attempt_id, m.occasion, m.state, m.host, m.reason, m.due_at, m.ended_at
      from unnest(${campaigns}::int[], ${nos}::int[], ${ids}::bigint[]) as c (campaign_id, no, id)
      join after_call_message m on m.campaign_id = c.campaign_id and m.no = c.no and m.attempt_id = c.id
     order by m.occasion`.execute(db)
  return rows
}

export async function forgetAddresses(db: Db, days: number): Promise<void> {
  await sql`
    update after_call_option o set address_sealed = null from campaign c
    where o.address_sealed is not null and c.id = o.campaign_id and c.dial_until < now() - ${days}::int * interval '1 day'
      and c.status in ('complete', 'cancelled', 'refused', 'failed')`.execute(db)
}
