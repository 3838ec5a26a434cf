/** Answers that arrive after their message was given up as unknown. */
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../clock.ts'
import { usualTimes } from '../../drivers/sms/smpp/link.ts'
import { smppGateways } from '../../drivers/sms/smpp/smpp.ts'
import { acceptance, RawPeer, receiptOf } from '../../drivers/sms/smpp/testing-peer.ts'
import { settingsFor } from '../../drivers/sms/smpp/testing.ts'
import { numbersEnding, phones } from '../../voice/testing/fixtures.ts'
import { settleMessages } from './settle.sql.ts'
import { settleLate, type SmsLate } from './late.sql.ts'
import { takeReceipts } from './receipts.sql.ts'
import { smsSending } from '../testing/engine.ts'
import {
  claimSms,
  expectSoundBooks,
  money,
  newRoute,
  newSmsCampaign,
  newSmsFixtures,
  smsCounts,
  smsOutcome,
} from '../testing/fixtures.ts'
import { unknownDue } from './unknown.sql.ts'

const at = await smsSending({ speed: 200, timeScale: 0.005 })
const fixtures = await newSmsFixtures(at)
const { user, lease, gatewayId } = fixtures
const late = (smsId: number, of: Partial<SmsLate>): SmsLate => ({
  smsId,
  idKeys: [],
  certain: true,
  reason: null,
  ...of,
})
const settleLates = (...lates: SmsLate[]) => settleLate(at.engine, lease, gatewayId, lates)

async function unknownOnes(count: number, segments = 1) {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(count), segments })
  const { messages } = await claimSms(at, fixtures, campaignId, count)
  await settleMessages(
    at.engine,
    lease,
    gatewayId,
    messages.map((one) => smsOutcome(one, { kind: 'unknown' })),
  )
  return { campaignId, ids: messages.map(({ id }) => id) }
}

async function settleDue(): Promise<void> {
  const due = await unknownDue(at.engine, 72 * 3600_000)
  await settleMessages(
    at.engine,
    fixtures.coordinator,
    0,
    due.map(({ id, accepted }) => smsOutcome({ id }, { kind: 'settled', accepted })),
  )
}

test('an id that comes late finds its receipts, pays its segments, and the message is not sent again', async () => {
  const { campaignId, ids } = await unknownOnes(1, 2)
  const [smsId = 0] = ids
  expect(await settleLates(late(smsId, { idKeys: ['l1'], certain: false }), late(smsId, { idKeys: ['l2'] }))).toEqual([
    smsId,
  ])
  expect(await smsCounts(at, campaignId)).toEqual({ unknown: 1 })
  await settleDue()
  expect(await smsCounts(at, campaignId)).toEqual({ unknown: 1, accepted: 1, segments: 2, cost_paisa: 300 })
  const receipts = ['l1', 'l2'].map((idKey) => ({ idKey, state: 'delivered' as const, reason: null, at: null }))
  expect((await takeReceipts(at.engine, lease, gatewayId, receipts)).unmatched).toEqual([])
  expect(await smsCounts(at, campaignId)).toEqual({ delivered: 1, accepted: 1, segments: 2, cost_paisa: 300 })
  expect((await claimSms(at, fixtures, campaignId, 5)).messages).toEqual([])
  await expectSoundBooks(at)
})

test('a late refusal ends the message as failed with the reason, and gives its money back', async () => {
  const before = await money(at, user.userId)
  const { campaignId, ids } = await unknownOnes(2)
  const [refused = 0, silent = 0] = ids
  await settleLates(late(refused, { reason: 'the number is not valid' }))
  expect(await smsCounts(at, campaignId)).toEqual({ unknown: 1, failed: 1 })
  await settleDue()
  expect(await money(at, user.userId)).toEqual({ owned: before.owned, reserved: before.reserved + 150 })
  const row = await at.db.selectFrom('sms_message').selectAll().where('sms_id', '=', refused).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ state: 'failed', reason: 'the number is not valid' })
  await settleLates(late(refused, { idKeys: ['too late'] }), late(silent, { idKeys: ['in time'] })) // the first is settled
  await settleDue()
  expect(await smsCounts(at, campaignId)).toMatchObject({ failed: 1, cost_paisa: 150 })
  await expectSoundBooks(at)
})

test('another lease, or another gateway, cannot tell of it', async () => {
  const { ids } = await unknownOnes(1)
  const [smsId = 0] = ids
  expect(await settleLate(at.engine, { ...lease, epoch: lease.epoch + 1 }, gatewayId, [late(smsId, {})])).toEqual([])
  expect(await settleLate(at.engine, fixtures.coordinator, 0, [late(smsId, { idKeys: ['x'] })])).toEqual([])
})

test('through a centre that answers after its time: unknown, and delivered once the answer and the receipt are there', async () => {
  let sent = 0
  const peer = await RawPeer.listen(({ command, sequence }, socket) => {
    if (command !== 'submit_sm') return
    sent += 1
    setTimeout(() => socket.write(acceptance(sequence, 'slow-one')), 1500)
    setTimeout(() => socket.write(receiptOf(1, 'slow-one')), 1800)
  })
  onTestFinished(() => peer.close())
  const slow = await at.db
    .insertInto('sms_gateway')
    .values({ name: 'Slow', driver: 'smpp', settings: JSON.stringify({ window: 10, tps: 10 }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await at.pool.query('delete from sms_route_step')
  await at.pool.query('delete from sms_route')
  await newRoute(at, [{ gatewayId: slow.id }])
  await at.pool.query(`update sms_lease set expires_at = now() where gateway_id = 0`)
  const open = smppGateways({ ...usualTimes, answerMs: 300, closeMs: 100 })
  at.start({ drivers: { smpp: (_, events) => open(settingsFor(peer), events, systemClock) } })
  const campaignId = await newSmsCampaign(at, { user, phones: numbersEnding(['20'], 1) })
  await expect.poll(() => smsCounts(at, campaignId), { timeout: 15_000 }).toEqual({ unknown: 1 })
  await expect
    .poll(() => smsCounts(at, campaignId), { timeout: 15_000 })
    .toEqual({ delivered: 1, accepted: 1, segments: 1, cost_paisa: 150 })
  expect(sent).toBe(1)
  await expectSoundBooks(at)
})
