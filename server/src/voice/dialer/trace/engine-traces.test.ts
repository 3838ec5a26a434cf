import { expect, test, vi } from 'vitest'
import { polling } from '../../../testing/timeouts.ts'
import { dialling } from '../../testing/engine.ts'
import { newCampaign, newFixtures, type Fixtures } from '../../testing/fixtures.ts'

const at = await dialling({ speed: 20, timeScale: 0.01 })
at.start()

const campaign = ({ user, line }: Fixtures, phones: number[]) =>
  newCampaign(at, { user, line, phones, flow: at.flow(1, { menuWaitSeconds: 10 }), retries: 0 })

test('the SIP messages of calls are kept, each with its attempt, its trunk and its dialer', async () => {
  const fixtures = await newFixtures(at)
  const campaignId = await campaign(fixtures, [9779841000101, 9779841000147])
  await vi.waitFor(async () => {
    const traces = await at.db.selectFrom('sip_trace').selectAll().where('campaign_id', '=', campaignId).execute()
    const attempts = await at.db.selectFrom('attempt').select('id').where('campaign_id', '=', campaignId).execute()
    expect(traces.length).toBe(2)
    expect(traces.map(({ attempt_id }) => attempt_id).toSorted()).toEqual(attempts.map(({ id }) => id).toSorted())
    const { trunkId, dialerId } = fixtures.line
    expect(traces).toEqual(traces.map((trace) => ({ ...trace, trunk_id: trunkId, dialer_id: dialerId })))
    expect(JSON.stringify(traces.map(({ messages }) => messages))).toMatch(/INVITE sip:\+9779841000101.*486 Busy Here/)
  }, polling)
})

test('the SIP messages of a trunk’s test call are kept with the test', async () => {
  const { line } = await newFixtures(at)
  const asked = { trunk_id: line.trunkId, dialer_id: line.dialerId, kind: 'call' as const, cli: line.cli }
  const test = { ...asked, phone: 9779841000201, by_user_id: null }
  const { id } = await at.db.insertInto('trunk_test').values(test).returning('id').executeTakeFirstOrThrow()
  await vi.waitFor(async () => {
    const traces = await at.db.selectFrom('sip_trace').selectAll().where('test_id', '=', id).execute()
    expect(traces).toMatchObject([{ trunk_id: line.trunkId, attempt_id: null, campaign_id: null }])
  }, polling)
})

test('how calls sound is asked of a sample, and added up for their trunk and operator', async () => {
  const fixtures = await newFixtures(at)
  await campaign(
    fixtures,
    Array.from({ length: 40 }, (_, n) => 9779841003099 + 100 * n),
  )
  const sampled = () =>
    at.db.selectFrom('rtp_count').selectAll().where('trunk_id', '=', fixtures.line.trunkId).execute()
  await vi.waitFor(async () => expect(await sampled()).toMatchObject([{ operator: 1, reported_calls: 1 }]), polling)
  const [sample] = await sampled()
  expect(sample?.calls).toBe(1)
  expect(Number(sample?.received)).toBeGreaterThan(300)
})
