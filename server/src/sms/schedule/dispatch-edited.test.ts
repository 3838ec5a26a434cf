import { expect, test } from 'vitest'
import { engineDb } from '../../voice/testing/db.ts'
import { phones } from '../../voice/testing/fixtures.ts'
import { claimSms, expectSoundBooks, money, newSmsCampaign, newSmsFixtures, smsCounts } from '../testing/fixtures.ts'
import { expireSms, moveSmsCampaign, requeueSms } from '../model/campaign.sql.ts'

const at = await engineDb(3)
const fixtures = await newSmsFixtures(at)
const { user } = fixtures

test('a campaign that its owner put off since the snapshot does not start before its new time', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(2), status: 'ready' })
  const startsIn = (ms: number) =>
    at.db
      .updateTable('sms_campaign')
      .set({ start_at: new Date(Date.now() + ms) })
      .where('id', '=', campaignId)
      .execute()
  const start = { campaignId, from: ['ready'], to: 'running', reason: null } as const
  await startsIn(60_000)
  expect(await moveSmsCampaign(at.engine, fixtures.coordinator, start)).toBe(false)
  const held = { ...start, to: 'onHold', holdCause: 'disabled' } as const
  expect(await moveSmsCampaign(at.engine, fixtures.coordinator, held)).toBe(true)
  const ready = { status: 'ready', hold_cause: null } as const
  await at.db.updateTable('sms_campaign').set(ready).where('id', '=', campaignId).execute()
  await startsIn(-1)
  expect(await moveSmsCampaign(at.engine, fixtures.coordinator, start)).toBe(true)
})

test('after the end that its owner chose nothing is claimed, and what was not sent expires, says why and costs nothing', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(5) })
  const before = await money(at, user.userId)
  const { messages } = await claimSms(at, fixtures, campaignId, 2)
  expect(messages).toHaveLength(2)
  const ended = { send_until: new Date(), not_after: true }
  await at.db.updateTable('sms_campaign').set(ended).where('id', '=', campaignId).execute()
  expect(await claimSms(at, fixtures, campaignId, 5)).toMatchObject({ messages: [], open: false })
  const batch = { campaignId, rows: 100, slot: 0, reason: 'too late' }
  expect(await expireSms(at.engine, fixtures.coordinator, batch)).toBe(3)
  expect(await smsCounts(at, campaignId)).toEqual({ in_flight: 2, expired: 3 })
  expect(await money(at, user.userId)).toEqual({ owned: before.owned, reserved: before.reserved + 300 })
  const { rows } = await at.pool.query(
    "select distinct reason from sms_message where campaign_id = $1 and state = 'expired'",
    [campaignId],
  )
  expect(rows).toEqual([{ reason: 'too late' }])
  await expectSoundBooks(at)
})

test('a retry of a campaign that ended at the time its owner chose goes by the platform’s days again', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: phones(1) })
  const ended = { send_until: new Date(), not_after: true, retry_requested: true, is_retry: true }
  await at.db.updateTable('sms_campaign').set(ended).where('id', '=', campaignId).execute()
  await requeueSms(at.engine, fixtures.coordinator, { campaignId, from: 0, rows: 10, slot: 0, moreMs: 60_000 })
  const { send_until, not_after } = await at.db
    .selectFrom('sms_campaign')
    .select(['send_until', 'not_after'])
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow()
  expect(not_after).toBe(false)
  expect(send_until.getTime()).toBeGreaterThan(Date.now())
})
