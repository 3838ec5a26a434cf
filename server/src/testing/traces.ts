import type { SipMessage } from '../drivers/telephony/driver.ts'
import type { TestApp } from './app.ts'

const at = Date.UTC(2026, 10, 26, 6)
const message = (afterMs: number, sent: boolean, text: string): SipMessage => ({
  at: at + afterMs,
  sent,
  transport: 'UDP',
  dialer: '10.0.0.1:5160',
  peer: '10.0.0.2:5060',
  text: `${text}\r\nCall-ID: one\r\nCSeq: 1 INVITE\r\n\r\n`,
})

export const busyMessages = [
  message(0, true, 'INVITE sip:9841000001@10.0.0.2 SIP/2.0'),
  message(20, false, 'SIP/2.0 100 Trying'),
  message(1500, false, 'SIP/2.0 180 Ringing'),
  message(4000, false, 'SIP/2.0 486 Busy Here'),
  message(4001, true, 'ACK sip:9841000001@10.0.0.2 SIP/2.0'),
]

type Of = { attemptId: number; campaignId: number } | { testId: number }

/** The SIP messages of a call to a busy number, as the engine stores them. */
export async function newTrace(
  app: TestApp,
  line: { trunkId: number; dialerId: number },
  of: Of,
  afterMs = 0,
): Promise<number> {
  const { id } = await app.db
    .insertInto('sip_trace')
    .values({
      trunk_id: line.trunkId,
      dialer_id: line.dialerId,
      at: new Date(at + afterMs),
      messages: JSON.stringify(busyMessages.map((one) => ({ ...one, at: one.at + afterMs }))),
      ...('testId' in of ? { test_id: of.testId } : { attempt_id: of.attemptId, campaign_id: of.campaignId }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function lineOf(app: TestApp, campaignId: number): Promise<{ trunkId: number; dialerId: number }> {
  return await app.db
    .selectFrom('campaign')
    .select(['trunk_id as trunkId', 'dialer_id as dialerId'])
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow()
}
