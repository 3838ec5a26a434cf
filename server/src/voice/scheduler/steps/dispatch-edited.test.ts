import { expect, test } from 'vitest'
import { newCampaign, newFixtures, phones, type NewCampaign } from '../../testing/fixtures.ts'
import { engineDb } from '../../testing/db.ts'
import { move, requeueForRetry } from './campaign.sql.ts'

const at = await engineDb(3)

async function oneUser() {
  const fixtures = await newFixtures(at)
  const { user } = fixtures
  const campaign = (of: Partial<NewCampaign>) => newCampaign(at, { user, line: fixtures.line, phones: [], ...of })
  return { fixtures, campaign }
}

test('a campaign that its owner put off since the snapshot does not start before its new time', async () => {
  const { fixtures, campaign } = await oneUser()
  const campaignId = await campaign({ phones: phones(2, 0, 9779826000000), status: 'ready' })
  const startsAt = (ms: number) =>
    at.db
      .updateTable('campaign')
      .set({ start_at: new Date(Date.now() + ms) })
      .where('id', '=', campaignId)
      .execute()
  const start = { campaignId, from: ['ready'], to: 'running', reason: null } as const
  await startsAt(60_000)
  expect(await move(at.engine, fixtures.lease, start)).toBe(false)
  expect(await move(at.engine, fixtures.lease, { ...start, to: 'onHold', holdCause: 'disabled' })).toBe(true)
  await at.db.updateTable('campaign').set({ status: 'ready', hold_cause: null }).where('id', '=', campaignId).execute()
  await startsAt(-1)
  expect(await move(at.engine, fixtures.lease, start)).toBe(true)
})

test('a retry of a campaign that ended at the time its owner chose goes by the platform’s days again', async () => {
  const { fixtures, campaign } = await oneUser()
  const campaignId = await campaign({ phones: phones(1, 0, 9779827000000) })
  const ended = { dial_until: new Date(), not_after: true, retry_requested: true, is_retry: true }
  await at.db.updateTable('campaign').set(ended).where('id', '=', campaignId).execute()
  await requeueForRetry(at.engine, fixtures.lease, { campaignId, from: 0, rows: 10, slot: 0, moreMs: 60_000 })
  const { dial_until, not_after } = await at.db
    .selectFrom('campaign')
    .select(['dial_until', 'not_after'])
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow()
  expect(not_after).toBe(false)
  expect(dial_until.getTime()).toBeGreaterThan(Date.now())
})
