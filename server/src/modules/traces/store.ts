import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'

type Of = { attemptId: number } | { testId: number } | { traceId: number }

/**
 * One of each trunk that the call tried, in order; of a trunk's test, one. `owner_id`: whose call it was. Null: a trunk's test. A trace's own id
 * finds those of the whole call.
 */
export function findTraces(db: Db, of: Of) {
  const traces = db
    .selectFrom('sip_trace as s')
    .innerJoin('trunk', 'trunk.id', 's.trunk_id')
    .innerJoin('dialer', 'dialer.id', 's.dialer_id')
    .leftJoin('campaign as c', 'c.id', 's.campaign_id')
    .select(['s.id', 's.attempt_id', 's.trunk_id', 's.at', 's.messages', 'c.account_id as owner_id'])
    .select(['trunk.name as trunk_name', 'dialer.name as dialer_name'])
    .where(sql<boolean>`not exists (select from campaign_deleted d where d.campaign_id = s.campaign_id)`)
    .orderBy('s.at')
    .orderBy('s.id')
  if ('attemptId' in of) return traces.where('s.attempt_id', '=', of.attemptId).execute()
  if ('testId' in of) return traces.where('s.test_id', '=', of.testId).execute()
  return traces
    .where((eb) =>
      eb.or([
        eb('s.id', '=', of.traceId),
        eb('s.attempt_id', '=', eb.selectFrom('sip_trace').select('attempt_id').where('id', '=', of.traceId)),
      ]),
    )
    .execute()
}
export type StoredTrace = Awaited<ReturnType<typeof findTraces>>[number]

export function findTrunk(db: Db, trunkId: number): Promise<{ name: string } | undefined> {
  return db
    .selectFrom('trunk')
    .select('name')
    .where('id', '=', trunkId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export type QualitySums = {
  operator: number
  calls: number
  answered: number
  pdd_calls: number
  pdd_ms: number
  sampled: number
  received: number
  received_lost: number
  received_jitter_us: number
  reported: number
  sent: number
  sent_lost: number
  sent_jitter_us: number
}

/** By operator, for the last 24 whole hours and the current one. The counters cover the whole platform. */
export async function qualityOfTrunk(db: Db, trunkId: number, now: Date): Promise<QualitySums[]> {
  const { rows } = await sql<QualitySums>`
    with counted as (
      select operator, sum(attempts)::int as calls, sum(answered)::int as answered, sum(pdd_calls)::int as pdd_calls, sum(pdd_ms)::bigint as pdd_ms
        from call_count where slice = 'hour' and kind = 'all' and account_id = (select id from account where kind = 'revenue') and trunk_id = ${trunkId}
         and at between nepal_minute(${now}) / 60 - 24 and nepal_minute(${now}) / 60 group by 1
    ), heard as (
      select operator, sum(calls)::int as sampled, sum(received)::bigint as received, sum(received_lost)::bigint as received_lost,
        sum(received_jitter_us)::bigint as received_jitter_us, sum(reported_calls)::int as reported, sum(sent)::bigint as sent, sum(sent_lost)::bigint as sent_lost,
        sum(sent_jitter_us)::bigint as sent_jitter_us
        from rtp_count where trunk_id = ${trunkId} and at between nepal_minute(${now}) / 60 - 24 and nepal_minute(${now}) / 60 group by 1
    )
    select operator, coalesce(calls, 0) as calls, coalesce(answered, 0) as answered, coalesce(pdd_calls, 0) as pdd_calls, coalesce(pdd_ms, 0) as pdd_ms,
      coalesce(sampled, 0) as sampled, coalesce(received, 0) as received, coalesce(received_lost, 0) as received_lost,
      coalesce(received_jitter_us, 0) as received_jitter_us, coalesce(reported, 0) as reported, coalesce(sent, 0) as sent,
      coalesce(sent_lost, 0) as sent_lost, coalesce(sent_jitter_us, 0) as sent_jitter_us
      from counted full join heard using (operator) order by calls desc, operator`.execute(db)
  return rows
}

const traceDays = 14
const countDays = 400

export async function forgetOld(db: Db): Promise<void> {
  await sql`delete from sip_trace where at < now() - ${traceDays} * interval '1 day'`.execute(db)
  await sql`delete from rtp_count where at < nepal_minute(now()) / 60 - ${countDays * 24}::int`.execute(db)
  await sql`delete from trunk_symptom where at < nepal_minute(now()) / 60 - ${countDays * 24}::int`.execute(db)
}
