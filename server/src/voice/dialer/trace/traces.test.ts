import { expect, test } from 'vitest'
import { busyMessages } from '../../../testing/traces.ts'
import { engineDb } from '../../testing/db.ts'
import { newCampaign, newFixtures } from '../../testing/fixtures.ts'
import { keepTraces } from './traces.sql.ts'

const at = await engineDb()

test('of a dialer the last thousand are kept, and none of a campaign that was deleted', async () => {
  const fixtures = await newFixtures(at)
  const kept = async () => {
    const ids = at.db.selectFrom('sip_trace').select('test_id').where('dialer_id', '=', fixtures.line.dialerId)
    return (await ids.orderBy('id').execute()).map(({ test_id }) => Number(test_id))
  }
  const { trunkId } = fixtures.line
  const first = 1_000_000_000 + fixtures.line.dialerId * 10_000
  const tests = Array.from({ length: 1005 }, (_, n) => first + n)
  const none = { trunkId, attemptId: null, campaignId: null, messages: busyMessages }
  const { lease } = fixtures
  await keepTraces(
    at.engine,
    lease,
    tests.map((testId) => ({ ...none, testId })),
  )
  expect(await kept()).toEqual(tests.slice(-1000))
  const campaignId = await newCampaign(at, { ...fixtures, phones: [], status: 'complete' })
  const deleted = { campaign_id: campaignId, asked_at: new Date(), by_user_id: fixtures.user.userId }
  await at.db.insertInto('campaign_deleted').values(deleted).execute()
  await keepTraces(at.engine, lease, [{ trunkId, campaignId, attemptId: first, testId: null, messages: busyMessages }])
  expect(await kept()).toEqual(tests.slice(-1000))
})
