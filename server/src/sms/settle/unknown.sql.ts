import { run, statement, type Queryable } from '../../dispatch/statement.ts'
import { fenced, leaseFence, type SmsLease } from '../model/lease.sql.ts'

/** A message in flight, of this engine or of one that ended. */
export type OpenMessage = { id: number; campaign_id: number; epoch: number }

const openStatement = statement<OpenMessage>(
  'sms_open_messages',
  'select id, campaign_id, epoch from sms_open where gateway_id = $1 and unknown_at is null order by id',
)

/** Read it in a separate statement after a takeover, so that its snapshot is later. */
export function openMessages(db: Queryable, gatewayId: number): Promise<OpenMessage[]> {
  return run(db, openStatement, [gatewayId])
}

export type UnknownMessage = {
  id: number
  campaign_id: number
  segments: number
  accepted: number
  answered: boolean
  proven: boolean
  /** The setting of the gateway's owner; null: what was answered is charged, the rest released. */
  unknown_charged: boolean | null
}

const dueStatement = statement<UnknownMessage>(
  'sms_unknown_due',
  `select o.id, o.campaign_id, o.segments, o.accepted, o.answered, o.proven_at is not null as proven, g.unknown_charged
from sms_open o left join sms_gateway g on g.id = o.gateway_id
where o.unknown_at is not null and (o.unknown_at < now() - $1::bigint * interval '1 ms' or o.proven_at is not null) order by o.unknown_at limit 1000`,
)

/** Unknown messages whose time is over or that a receipt has resolved; their reservation ends now. */
export function unknownDue(db: Queryable, waitMs: number): Promise<UnknownMessage[]> {
  return run(db, dueStatement, [waitMs])
}

/** The next campaign with a message that has waited this long for a receipt. $1 ms */
const overdueStatement = statement<{ id: number }>(
  'sms_receipts_overdue',
  `select c.id from sms_campaign c join sms_campaign_progress p on p.campaign_id = c.id
where p.submitted > 0 and c.receipts_checked_at < now() - $1::bigint * interval '1 ms' order by c.receipts_checked_at limit 10`,
)

/** Campaigns in which a message may have waited too long for its receipt. */
export async function receiptsOverdue(db: Queryable, everyMs: number): Promise<number[]> {
  return (await run(db, overdueStatement, [everyMs])).map((row) => row.id)
}

/** $4 campaign $5 from $6 rows $7 slot $8 ms $9 reason */
const silentStatement = statement<{ next: number | null; silent: number }>(
  'sms_no_receipt',
  `with ${leaseFence}, messages as (
  update sms_message m set state = 'unknown', reason = $9 from lease
  where m.campaign_id = $4 and m.no >= $5::int and m.no < $5::int + $6::int and m.state = 'submitted' and m.submitted_at < now() - $8::bigint * interval '1 ms' returning 1
), counts as (
  insert into sms_campaign_count as k (campaign_id, slot, submitted, unknown) select $4, $7, -count(*), count(*) from messages having count(*) > 0
  on conflict (campaign_id, slot) do update set submitted = k.submitted + excluded.submitted, unknown = k.unknown + excluded.unknown
), receipt_check as (
  update sms_campaign c set receipts_checked_at = now() from lease where c.id = $4 and not exists (select from sms_message m where m.campaign_id = $4 and m.no >= $5::int + $6::int)
)
select (select min(m.no) from sms_message m where m.campaign_id = $4 and m.no >= $5::int + $6::int) as next, (select count(*) from messages)::int as silent from sms_campaign c, lease where c.id = $4`,
)

/** Marks accepted messages without a receipt as unknown; a later receipt still counts. One batch, like `requeueSms`. */
export async function markSilent(
  db: Queryable,
  lease: SmsLease,
  batch: { campaignId: number; from: number; rows: number; slot: number; waitMs: number; reason: string },
): Promise<{ next: number | null; silent: number }> {
  const values = [batch.campaignId, batch.from, batch.rows, batch.slot, batch.waitMs, batch.reason]
  const [row] = await run(db, silentStatement, [...fenced(lease), ...values])
  return row ?? { next: null, silent: 0 }
}
