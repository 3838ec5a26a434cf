import type { RtpFigures, SipMessage } from '../../../drivers/telephony/driver.ts'
import { fenced, leaseFence, run, statement, type Lease, type Queryable } from '../../../dispatch/statement.ts'

export type StoredTrace = {
  trunkId: number
  attemptId: number | null
  testId: number | null
  campaignId: number | null
  messages: SipMessage[]
}

const tracesMax = 1000

/** Nothing is kept of campaigns that were deleted meanwhile. */
const keepStatement = statement(
  'keep_traces',
  `with ${leaseFence}
insert into sip_trace (dialer_id, trunk_id, attempt_id, test_id, campaign_id, at, messages)
select $1, t."trunkId", t."attemptId", t."testId", t."campaignId", to_timestamp((t.messages -> 0 ->> 'at')::numeric / 1000), t.messages
from lease, jsonb_to_recordset($4::jsonb) t ("trunkId" int, "attemptId" bigint, "testId" bigint, "campaignId" int, messages jsonb)
where not exists (select from campaign_deleted d where d.campaign_id = t."campaignId")
on conflict do nothing`,
)

const trimStatement = statement(
  'trim_traces',
  `with ${leaseFence}
delete from sip_trace t using lease where t.dialer_id = $1
  and t.id <= (select id from sip_trace where dialer_id = $1 order by id desc offset ${tracesMax} limit 1)`,
)

export async function keepTraces(db: Queryable, lease: Lease, traces: readonly StoredTrace[]): Promise<void> {
  await run(db, keepStatement, [...fenced(lease), JSON.stringify(traces)])
  await run(db, trimStatement, fenced(lease))
}

const rtpStatement = statement(
  'add_rtp',
  `with ${leaseFence}
insert into rtp_count as k (trunk_id, operator, at, calls, received, received_lost, received_jitter_us, reported_calls, sent, sent_lost, sent_jitter_us)
select $4::int, coalesce(o.operator, 0), nepal_minute(now()) / 60, 1, $6::bigint, $7::bigint, $8::bigint, $9::int, $10::bigint, $11::bigint, $12::bigint
from lease, attempt_open o where o.id = $5::bigint
on conflict (trunk_id, at, operator) do update set calls = k.calls + 1, received = k.received + excluded.received,
  received_lost = k.received_lost + excluded.received_lost, received_jitter_us = k.received_jitter_us + excluded.received_jitter_us,
  reported_calls = k.reported_calls + excluded.reported_calls, sent = k.sent + excluded.sent, sent_lost = k.sent_lost + excluded.sent_lost,
  sent_jitter_us = k.sent_jitter_us + excluded.sent_jitter_us`,
)

/** Of a call that is up. */
export async function addRtp(
  db: Queryable,
  lease: Lease,
  { trunkId, attemptId, rtp }: { trunkId: number; attemptId: number; rtp: RtpFigures },
): Promise<void> {
  const { received, sent } = rtp
  await run(db, rtpStatement, [
    ...fenced(lease),
    trunkId,
    attemptId,
    received.packets,
    received.lost,
    Math.round(received.jitterMs * 1000),
    sent ? 1 : 0,
    sent?.packets ?? 0,
    sent?.lost ?? 0,
    Math.round((sent?.jitterMs ?? 0) * 1000),
  ])
}
