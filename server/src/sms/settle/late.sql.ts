import { arraysOf, run, statement, type Queryable } from '../../dispatch/statement.ts'
import { fenced, leaseFence, type SmsLease } from '../model/lease.sql.ts'

/** An answer that arrived after its message was recorded as unknown. */
export type SmsLate = {
  smsId: number
  /** The gateway's ids of accepted segments, by idKey. */
  idKeys: readonly string[]
  /** Nothing about the message is in doubt any more, so its money is settled. */
  certain: boolean
  /** Why it failed, for a person; null when it did not, or nobody knows yet. */
  reason: string | null
}

/**
 * Stores an unknown message's ids, for its receipts, and its certain cost. It is never sent again: it stays unknown until a receipt
 * arrives, or has failed. What is settled keeps its price. $4 slot, then arrays as in SmsLate; $8 and $9: ids and the message of each.
 */
const lateStatement = statement<{ id: number }>(
  'sms_late',
  `with ${leaseFence}, reports as materialized (
  select id, sum(accepted)::int as accepted, bool_or(certain) as certain, max(reason) as reason
  from unnest($5::bigint[], $6::int[], $7::boolean[], $10::text[]) as t (id, accepted, certain, reason) group by id
), submissions as (
  update sms_open o set answered = true, accepted = least(o.segments, o.accepted + t.accepted), proven_at = case when t.certain then coalesce(o.proven_at, now()) else o.proven_at end
  from reports t, lease where o.id = t.id and o.gateway_id = $1 and o.unknown_at is not null
  returning o.id, o.gateway_id, o.campaign_id, o.no, t.reason
), segment_ids as (
  insert into sms_segment_id as g (gateway_id, id_key, sms_id, campaign_id, no)
  select distinct on (k.id_key) e.gateway_id, k.id_key, e.id, e.campaign_id, e.no from unnest($8::text[], $9::bigint[]) as k (id_key, id) join submissions e on e.id = k.id order by k.id_key
  on conflict (gateway_id, id_key) do update set sms_id = excluded.sms_id, campaign_id = excluded.campaign_id, no = excluded.no, state = null, at = now()
  returning 1
), messages as (
  update sms_message m set state = 'failed', final_at = now(), reason = e.reason from submissions e
  where e.reason is not null and m.campaign_id = e.campaign_id and m.no = e.no and m.sms_id = e.id and m.state = 'unknown' returning m.campaign_id
), counts as (
  insert into sms_campaign_count as k (campaign_id, slot, unknown, failed) select campaign_id, $4, -count(*), count(*) from messages group by campaign_id order by campaign_id
  on conflict (campaign_id, slot) do update set unknown = k.unknown + excluded.unknown, failed = k.failed + excluded.failed
)
select id from submissions`,
)

/** Returns the messages affected. */
export async function settleLate(
  db: Queryable,
  lease: SmsLease,
  slot: number,
  lates: readonly SmsLate[],
): Promise<number[]> {
  if (lates.length === 0) return []
  const keys = lates.flatMap(({ idKeys, smsId }) => idKeys.map((key) => [key, smsId] as const))
  const columns = [
    lates.map(({ smsId }) => smsId),
    lates.map(({ idKeys }) => idKeys.length),
    lates.map(({ certain }) => certain),
    ...arraysOf(keys, 0, 1),
    lates.map(({ reason }) => reason),
  ]
  return (await run(db, lateStatement, [...fenced(lease), slot, ...columns])).map((row) => row.id)
}
