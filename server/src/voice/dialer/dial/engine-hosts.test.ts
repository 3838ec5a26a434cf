import { connectFlow } from '@ghanti/callflow/flow.ts'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { TrunkFault } from '../../../drivers/telephony/simulator/numbers.ts'
import { polling } from '../../../testing/timeouts.ts'
import { attemptsOf, firstAttempt } from '../../testing/attempts.ts'
import { answering, setFault } from '../../testing/campaigns.ts'
import { dialling, instead, poolWith } from '../../testing/engine.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { anotherTrunk, firstHost, newRoute, secondHost } from '../../testing/routes.ts'

/** The other hosts of a trunk are tried in one way, whoever is called. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 50, timeScale: 0.004 })
/** What happens when a call goes on over another host. */
let beforeDetour: (() => Promise<void>) | null = null
const pool = poolWith(at, 'detour', async (send) => {
  await beforeDetour?.()
  return send()
})
/** How often each number was dialled. */
const dialled = new Map<string, number>()
const telephony = [
  instead(at.simulator, (connection) => ({
    dial: (request) => {
      dialled.set(request.number, (dialled.get(request.number) ?? 0) + 1)
      return connection.dial(request)
    },
  })),
]
/** One for each test: a trunk of two hosts, and another trunk. */
const unused: { fixtures: Fixtures; other: number }[] = []
beforeAll(async () => {
  while (unused.length < 16) {
    const fixtures = await newFixtures(at, { cps: 40 })
    await secondHost(at, fixtures.line.trunkId)
    unused.push({ fixtures, other: await anotherTrunk(at, fixtures) })
  }
  at.start({ pool, telephony })
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
const holdsOf = (trunkId: number) =>
  at.db
    .selectFrom('trunk_health')
    .select('held_since')
    .where('trunk_id', '=', trunkId)
    .where('held_since', 'is not', null)
    .execute()

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
    const each = { disposition: 'ANSWER', trunkId: own, tried, pulses: 1, cost_paisa: 40 }
    expect(await attemptsOf(at, id)).toMatchObject(Array.from({ length: 30 }, () => each))
    expect(await counts(at, id)).toMatchObject({ attempts: 30, answered: 30, done: 30 })
    expect(await holdsOf(own)).toEqual([])
    await expectSoundBooks(at)
  },
)

test('each host is tried once; when none carries the call it ends as the trunk’s fault, and its row waits', async () => {
  const { fixtures, own } = await withFault('refusing')
  const id = await campaign(fixtures, answering(1, 9779840300000))
  expect(await firstAttempt(at, id)).toMatchObject({
    disposition: 'CONGESTION',
    sip_status: 503,
    trunkId: own,
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
  expect(await attemptsOf(at, id)).toMatchObject([{ disposition: 'ANSWER', trunkId: other, tried, cost_paisa: 40 }])
  await expectSoundBooks(at)
})

test('what a called person does at the first host is no reason for the second', async () => {
  const { fixtures, own } = await withFault('wrongPrefix', firstHost)
  const id = await campaign(fixtures, answering(1, 9779840500000))
  expect(await firstAttempt(at, id)).toMatchObject({ sip_status: 404, trunkId: own, tried: null })
})

test('a call does not go on once its campaign is paused, and is over then', async () => {
  const { fixtures, own } = await withFault('refusing', firstHost)
  const id = await campaign(fixtures, answering(1, 9779840600000))
  beforeDetour = async () => {
    await at.db.updateTable('campaign').set({ status: 'pausing' }).where('id', '=', id).execute()
  }
  expect(await firstAttempt(at, id)).toMatchObject({ disposition: 'CONGESTION', trunkId: own, tried: null })
})

test('a call whose database does not answer is not dialled over the next host, and its row is called again', async () => {
  const { fixtures, own } = await withFault('refusing', firstHost)
  const id = await campaign(fixtures, answering(1, 9779840700000))
  let fails = 1
  beforeDetour = async () => {
    if (fails-- > 0) throw new Error('the connection is gone')
  }
  await at.status(id, 'complete')
  const [given, ...rest] = await attemptsOf(at, id)
  expect(given).toMatchObject({ disposition: 'CANCEL', trunkId: own })
  expect(rest.at(-1)).toMatchObject({ disposition: 'ANSWER', tried: [own] })
  await expectSoundBooks(at)
})

const agentOf = (attempt: { agent: string | null; agent_missed: string | null }) => [
  attempt.agent,
  attempt.agent_missed,
]
/** Presses 1 after two seconds, for the agent. */
const pressing = 9779840800011

async function patched(agent: string) {
  const { fixtures, own } = await withFault('refusing', firstHost)
  const flow = at.flow(2, { agents: [{ number: agent, key: '1' }] })
  const { user, line } = fixtures
  const phones = [pressing + 100 * unused.length]
  const id = await newCampaign(at, { user, line, phones, flow, retries: 0, reservePaisa: 400 })
  await at.status(id, 'complete')
  const calls = await at.db.selectFrom('attempt').selectAll().where('campaign_id', '=', id).execute()
  expect(calls).toMatchObject([{ disposition: 'ANSWER', tried: [own] }])
  await expectSoundBooks(at)
  return calls[0] ?? expect.fail('there is no call')
}

test('an agent whom the first host of the trunk does not carry is rung over the next one, as the same talk with one charge', async () => {
  const agent = '+9779801811137'
  const call = await patched(agent)
  expect(agentOf(call)).toEqual([agent, null])
  expect(call.patch_bill_ms).toBeGreaterThan(10_000 - 100)
  expect(dialled.get(agent)).toBe(2)
})

test('an agent whom no host carries is rung over each once, and was not reached', exhaustive, async () => {
  const agent = '+9779801811206'
  expect(agentOf(await patched(agent))).toEqual([null, 'notReached'])
  expect(dialled.get(agent)).toBe(2)
})

test('what an agent does at the first host is no reason for the second', exhaustive, async () => {
  const agent = '+9779801811305'
  expect(agentOf(await patched(agent))).toEqual([null, 'notReached'])
  expect(dialled.get(agent)).toBe(2) // the refusing host, and the one over which the agent refused
})

async function callNow(agent: string, customer: number, host = firstHost) {
  const { fixtures, own } = await withFault('refusing', host)
  const { user, line } = fixtures
  const flow = connectFlow({ agent, customer: `+${customer}` })
  const of = { user, line, phones: [customer], flow, retries: 0, reservePaisa: 4000, status: 'paused' as const }
  const id = await newCampaign(at, of)
  const isOwn = { is_test: true, is_call_now: true, ring_seconds: 25, status: 'ready' as const }
  await at.db.updateTable('campaign').set(isOwn).where('id', '=', id).execute()
  await at.status(id, 'complete')
  const calls = await at.db.selectFrom('attempt').selectAll().where('campaign_id', '=', id).execute()
  expect(calls).toHaveLength(1)
  await expectSoundBooks(at)
  return { own, call: calls[0] ?? expect.fail('there is no call') }
}

test(
  'a Call Now rings its agent and then its customer over the next host when the first does not carry them, as one attempt',
  exhaustive,
  async () => {
    const [agent, customer] = ['+9779801821133', 9779840900037]
    const { own, call } = await callNow(agent, customer)
    expect(call).toMatchObject({ disposition: 'ANSWER', agent, agent_missed: null, trunk_id: own, tried: [own] })
    expect(call.patch_bill_ms).toBeGreaterThan(call.bill_ms ?? Infinity)
    expect([dialled.get(agent), dialled.get(`+${customer}`)]).toEqual([2, 2])
  },
)

test('a Call Now whose agent no host carries rings nobody else, and is not tried again', exhaustive, async () => {
  const [agent, customer] = ['+9779801822106', 9779840910037]
  const { own, call } = await callNow(agent, customer)
  expect(call).toMatchObject({ disposition: 'CONGESTION', agent_missed: 'notReached', tried: [own], cost_paisa: 0 })
  expect([dialled.get(agent), dialled.get(`+${customer}`)]).toEqual([2, undefined])
})

async function testCall(phone: number) {
  const { fixtures, own } = await withFault('refusing', firstHost)
  const { line, user } = fixtures
  const { id } = await at.db
    .insertInto('trunk_test')
    .values({ trunk_id: own, dialer_id: line.dialerId, kind: 'call', phone, cli: line.cli, by_user_id: user.userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = () => at.db.selectFrom('trunk_test').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await vi.waitFor(async () => expect((await row()).ended_at).not.toBeNull(), polling)
  await expectSoundBooks(at)
  return { test: await row(), times: dialled.get(`+${phone}`) }
}

test(
  'a test call that a host of the trunk does not carry goes on over the next host, and passes when that carries it',
  exhaustive,
  async () => {
    const { test: ended, times } = await testCall(9779841100050)
    expect([ended.passed, ended.result, times]).toEqual([true, expect.stringMatching(/^answered after/), 2])
  },
)

test('a test call that no host carries was at each once, and fails with what the last one said', async () => {
  const { test: ended, times } = await testCall(9779841100106)
  expect([ended.passed, ended.result, times]).toEqual([false, 'the call failed: SIP 503', 2])
})
