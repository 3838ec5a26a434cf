import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { TrunkFault } from '../../drivers/telephony/simulator/numbers.ts'
import { polling } from '../../testing/timeouts.ts'
import { answering, setFault } from '../testing/campaigns.ts'
import { dialling, poolWith } from '../testing/engine.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../testing/fixtures.ts'
import { anotherTrunk, firstHost, newRoute, secondHost } from '../testing/routes.ts'

const at = await dialling({ speed: 50, timeScale: 0.004 })
/** What happens when a call goes on over another host. */
let beforeDetour: (() => Promise<void>) | null = null
const pool = poolWith(at, 'detour', async (send) => {
  await beforeDetour?.()
  return send()
})
/** One for each test: a trunk of two hosts, and another trunk. */
const unused: { fixtures: Fixtures; other: number }[] = []
beforeAll(async () => {
  while (unused.length < 8) {
    const fixtures = await newFixtures(at, { cps: 40 })
    await secondHost(at, fixtures.line.trunkId)
    unused.push({ fixtures, other: await anotherTrunk(at, fixtures) })
  }
  at.start({ pool })
})
afterEach(() => (beforeDetour = null))

async function withFault(
  fault: TrunkFault,
  host?: string,
): Promise<{ fixtures: Fixtures; own: number; other: number }> {
  const { fixtures, other } = unused.shift() ?? expect.fail('there are fewer fixtures than tests')
  const own = fixtures.line.trunkId
  await setFault(at, own, fault, host)
  return { fixtures, own, other }
}
const campaign = ({ user, line }: Fixtures, phones: number[]) =>
  newCampaign(at, { user, line, phones, flow: at.flow(0), retries: 0, reservePaisa: 40 })
const attempts = (campaignId: number) =>
  at.db
    .selectFrom('attempt')
    .select(['disposition', 'trunk_id', 'tried', 'sip_status', 'pulses', 'cost_paisa'])
    .where('campaign_id', '=', campaignId)
    .orderBy('id')
    .execute()
const holdsOf = (trunkId: number) =>
  at.db
    .selectFrom('trunk_health')
    .select('held_since')
    .where('trunk_id', '=', trunkId)
    .where('held_since', 'is not', null)
    .execute()
/** The first one of a campaign of one row, which is then stopped. */
async function firstAttempt(campaignId: number) {
  await vi.waitFor(async () => expect(await attempts(campaignId)).not.toEqual([]), polling)
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', campaignId).execute()
  await at.status(campaignId, 'cancelled')
  await expectSoundBooks(at)
  return (await attempts(campaignId))[0]
}

test.each<{ fault: TrunkFault; from: number }>([
  { fault: 'refusing', from: 9779840100000 },
  { fault: 'silent', from: 9779840200000 },
])(
  'calls that a $fault host of a trunk does not carry go on over the next host at once, each as one attempt with one charge, and the trunk is not at fault',
  async ({ fault, from }) => {
    const { fixtures, own } = await withFault(fault, firstHost)
    const id = await campaign(fixtures, answering(30, from))
    await at.status(id, 'complete')
    const tried = [own]
    const each = { disposition: 'ANSWER', trunk_id: own, tried, pulses: 1, cost_paisa: 40 }
    expect(await attempts(id)).toMatchObject(Array.from({ length: 30 }, () => each))
    expect(await counts(at, id)).toMatchObject({ attempts: 30, answered: 30, done: 30 })
    expect(await holdsOf(own)).toEqual([])
    await expectSoundBooks(at)
  },
)

test('each host is tried once; when none carries the call it ends as the trunk’s fault, and its row waits', async () => {
  const { fixtures, own } = await withFault('refusing')
  const id = await campaign(fixtures, answering(1, 9779840300000))
  expect(await firstAttempt(id)).toMatchObject({
    disposition: 'CONGESTION',
    sip_status: 503,
    trunk_id: own,
    tried: [own],
    cost_paisa: 0,
  })
  expect(await counts(at, id)).toMatchObject({ answered: 0, done: 0 })
})

test('after the last host the call goes on over the next trunk of its route', async () => {
  const { fixtures, own, other } = await withFault('refusing')
  await newRoute(at, fixtures, [
    { trunkId: own, priority: 1, weight: 1 },
    { trunkId: other, priority: 2, weight: 1 },
  ])
  const id = await campaign(fixtures, [9779840400046])
  await at.status(id, 'complete')
  const tried = [own, own]
  expect(await attempts(id)).toMatchObject([{ disposition: 'ANSWER', trunk_id: other, tried, cost_paisa: 40 }])
  await expectSoundBooks(at)
})

test('what a called person does at the first host is no reason for the second', async () => {
  const { fixtures, own } = await withFault('wrongPrefix', firstHost)
  const id = await campaign(fixtures, answering(1, 9779840500000))
  expect(await firstAttempt(id)).toMatchObject({ sip_status: 404, trunk_id: own, tried: null })
})

test('a call does not go on once its campaign is paused, and is over then', async () => {
  const { fixtures, own } = await withFault('refusing', firstHost)
  const id = await campaign(fixtures, answering(1, 9779840600000))
  beforeDetour = async () => {
    await at.db.updateTable('campaign').set({ status: 'pausing' }).where('id', '=', id).execute()
  }
  expect(await firstAttempt(id)).toMatchObject({ disposition: 'CONGESTION', trunk_id: own, tried: null })
})

test('a call whose database does not answer is not dialled over the next host, and its row is called again', async () => {
  const { fixtures, own } = await withFault('refusing', firstHost)
  const id = await campaign(fixtures, answering(1, 9779840700000))
  let fails = 1
  beforeDetour = async () => {
    if (fails-- > 0) throw new Error('the connection is gone')
  }
  await at.status(id, 'complete')
  const [given, ...rest] = await attempts(id)
  expect(given).toMatchObject({ disposition: 'CANCEL', trunk_id: own })
  expect(rest.at(-1)).toMatchObject({ disposition: 'ANSWER', tried: [own] })
  await expectSoundBooks(at)
})
