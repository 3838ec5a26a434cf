import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import type { TranscriptLine } from '../../../drivers/telephony/simulator/channel.ts'
import { customerOf } from '../../../dispatch/channel-names.ts'
import { polling } from '../../../testing/timeouts.ts'
import { dialling, instead, poolWith } from '../../testing/engine.ts'
import { busyNumbers, expectSoundFiles, newCampaign, newFixtures } from '../../testing/fixtures.ts'

/** An agent who is rung once more, and what it costs, is in the others of this file; the flow is in callflow/src/connect.test.ts. */
const exhaustive = { tags: ['exhaustive'] }

const speed = 20
const at = await dialling({ speed, timeScale: 0.001 })
const againMs = 5000
const price = { pulseMs: 15_000, pulsePaisa: 40 }
const prices = [price, price, price]

type Rung = { number: string; channelId: string; at: number }
let rung: Rung[] = []
/** What happens as a customer begins to hear the ringing tone. */
let asItRings: (channelId: string, connection: DialerConnection) => Promise<unknown> = async () => undefined
/** An agent's number becomes free after this, and is not rung once more before. */
let freedAfter: Promise<unknown> = Promise.resolve()
/** Numbers that are busy only when they are rung first. */
const busyOnce = new Set<string>()
const telephony = [
  instead(at.simulator, (connection) => ({
    dial: (request) => {
      rung.push({ number: request.number, channelId: request.channelId, at: performance.now() })
      return connection.dial(busyOnce.delete(request.number) ? { ...request, number: '+9779801111101' } : request)
    },
    ringingTone: async (channelId, isOn) => {
      const reply = await connection.ringingTone(channelId, isOn)
      if (isOn) await asItRings(channelId, connection)
      return reply
    },
  })),
]
const pool = poolWith(at, 'release_agent', async (send) => {
  await freedAfter
  return await send()
})
const first = at.start({ telephony, pool })

let last = 9779827000000
/** Numbers that answer and press key 1 after 2 s, new ones at each call. */
const pressing = (n = 1): number[] => Array.from({ length: n }, () => (last += 100) + 11)
/** 01 is busy, 33 stays until somebody hangs up, 37 hangs up after 10 s. */
const agentOf = (suffix: string): string => `+${(last += 100)}`.slice(0, -2) + suffix

type Of = { agent: string; phones?: number[]; rupees?: number; channels?: number; atOnce?: number }

async function began({ agent, phones = pressing(), rupees = 1000, channels, atOnce = 1 }: Of) {
  const { user, line } = await newFixtures(at, { rupees, ...(channels ? { channels } : {}) })
  const flow = at.flow(2, { agents: [{ number: agent, key: '1' }] })
  const more = { prices, reservePaisa: 400, retries: 0, channels: atOnce }
  const id = await newCampaign(at, { user, line, phones, flow, ...more })
  const account = () => at.db.selectFrom('account').selectAll().where('id', '=', user.userId).executeTakeFirstOrThrow()
  const transcript = async (channelId: string): Promise<TranscriptLine[]> => {
    const dialer = await at.db
      .selectFrom('dialer')
      .select(['host', 'port'])
      .where('id', '=', line.dialerId)
      .executeTakeFirstOrThrow()
    return at.simulator.control(dialer).transcript(channelId)
  }
  return { id, account, transcript }
}

const callsOf = (id: number) =>
  at.db.selectFrom('attempt').selectAll().where('campaign_id', '=', id).orderBy('id').execute()

async function patched(of: Of) {
  const campaign = await began(of)
  await at.status(campaign.id, 'complete')
  return { ...campaign, calls: await callsOf(campaign.id) }
}

const timesOf = (agent: string): number[] => rung.filter(({ number }) => number === agent).map((one) => one.at)

beforeEach(() => {
  rung = []
  asItRings = async () => undefined
  freedAfter = Promise.resolve()
})

afterEach(async () => {
  await expectSoundFiles(at)
  expect(await busyNumbers(at)).toEqual([])
})

test('an agent who is busy is rung once more after five seconds of ringing tone; then the menu is asked again, and the call says that the agent was busy', async () => {
  const agent = agentOf('01')
  const { calls, transcript } = await patched({ agent })
  expect(calls).toMatchObject([
    { disposition: 'ANSWER', keys: '1', agent: null, patch_bill_ms: null, agent_missed: 'busy', uncollected_paisa: 0 },
  ])
  const [first = 0, second = 0, ...more] = timesOf(agent)
  expect(more).toEqual([])
  expect(second - first).toBeGreaterThanOrEqual(againMs / speed)
  const legs = rung.filter(({ number }) => number === agent)
  expect(new Set(legs.map(({ channelId }) => channelId)).size).toBe(2)
  const heard = await transcript(customerOf(legs[0]?.channelId ?? '') ?? '')
  const ringing = heard.filter(({ what }) => what === 'ringing')
  expect(ringing.map(({ detail }) => detail)).toEqual(['on', 'off'])
  const [on, off] = ringing.map((line) => line.at)
  expect((off ?? 0) - (on ?? 0)).toBeGreaterThanOrEqual(againMs)
  const after = heard.filter(({ what, at: when }) => what === 'heard' && when >= (off ?? 0))
  const while_ = heard.filter(({ what, at: when }) => what === 'heard' && when >= (on ?? 0) && when < (off ?? 0))
  expect(while_).toEqual([])
  expect(after.length, 'noInput, the menu and thanks').toBe(3)
})

test('an agent who is free again when rung once more is joined, and both legs are charged', async () => {
  const agent = agentOf('37')
  busyOnce.add(agent)
  const { calls } = await patched({ agent })
  expect(calls).toMatchObject([{ disposition: 'ANSWER', agent, agent_missed: null, uncollected_paisa: 0 }])
  expect(calls[0]?.patch_bill_ms).toBeGreaterThan(9900)
  expect(timesOf(agent)).toHaveLength(2)
})

test('an agent who does not answer when rung once more did not answer', exhaustive, async () => {
  const agent = agentOf('02')
  busyOnce.add(agent)
  const { calls } = await patched({ agent })
  expect(calls).toMatchObject([{ agent: null, patch_bill_ms: null, agent_missed: 'notReached' }])
})

/** While the customer hears the ringing tone, this happens; the five seconds last until it has had its consequences. */
async function meanwhile(
  of: Of,
  does: (campaignId: number, channelId: string, connection: DialerConnection) => Promise<unknown>,
  until: 'complete' | 'cancelled',
) {
  const rings = Promise.withResolvers<{ channelId: string; connection: DialerConnection }>()
  const free = Promise.withResolvers<void>()
  freedAfter = free.promise
  asItRings = async (channelId, connection) => rings.resolve({ channelId, connection })
  const campaign = await began(of)
  const { channelId, connection } = await rings.promise
  await does(campaign.id, channelId, connection)
  await at.status(campaign.id, until)
  free.resolve()
  await sleep((2 * againMs) / speed)
  return { ...campaign, calls: await callsOf(campaign.id) }
}

test(
  'who hangs up while the ringing tone is heard ends the call, and the agent is not rung again',
  exhaustive,
  async () => {
    const agent = agentOf('01')
    const { calls, account } = await meanwhile(
      { agent },
      (_, channelId, connection) => connection.hangUp(channelId),
      'complete',
    )
    expect(calls).toMatchObject([{ disposition: 'ANSWER', patch_bill_ms: null, agent_missed: 'busy' }])
    expect(await account()).toMatchObject({ reserved_paisa: 0, balance_paisa: 100_000 - (calls[0]?.cost_paisa ?? 0) })
    expect(timesOf(agent)).toHaveLength(1)
  },
)

const stop = (id: number, end_now: boolean) =>
  at.db.updateTable('campaign').set({ status: 'cancelling', end_now }).where('id', '=', id).execute()

test(
  'a campaign that is stopped with its calls while the ringing tone is heard rings no agent again',
  exhaustive,
  async () => {
    const agent = agentOf('01')
    const { calls, account } = await meanwhile({ agent }, (id) => stop(id, true), 'cancelled')
    expect(calls).toMatchObject([{ disposition: 'ANSWER', agent_missed: 'busy' }])
    expect(await account()).toMatchObject({ reserved_paisa: 0 })
    expect(timesOf(agent)).toHaveLength(1)
  },
)

test(
  'a campaign that is stopped while its calls may end by themselves rings the agent once more',
  exhaustive,
  async () => {
    const agent = agentOf('37')
    busyOnce.add(agent)
    const { id } = await began({ agent })
    asItRings = () => stop(id, false)
    await at.status(id, 'cancelled')
    expect(await callsOf(id)).toMatchObject([{ disposition: 'ANSWER', agent, agent_missed: null }])
  },
)

test('without money for a minute more the agent is not rung again, and nothing is owed that was not reserved', async () => {
  // 400 are reserved, 480 while the agent is rung first; 80 more would be needed
  const agent = agentOf('01')
  const { calls, account } = await patched({ agent, rupees: 5 })
  expect(calls).toMatchObject([{ agent_missed: 'busy', patch_bill_ms: null, uncollected_paisa: 0 }])
  expect(timesOf(agent)).toHaveLength(1)
  expect(await account()).toMatchObject({ reserved_paisa: 0, balance_paisa: 500 - (calls[0]?.cost_paisa ?? 0) })
})

test('on a trunk that is full of calls the second leg takes a channel of the trunk again, and never one more', async () => {
  const agent = agentOf('01')
  const { calls } = await patched({ agent, phones: pressing(24), channels: 6, atOnce: 100 })
  expect(calls).toHaveLength(24)
  expect(calls.filter((call) => call.agent_missed === 'busy').length).toBeGreaterThan(2)
})

test(
  'an engine that takes a call over while the ringing tone is heard does not ring the agent again: the menu is asked again, and the call says that the agent was busy',
  exhaustive,
  async () => {
    const agent = agentOf('01')
    freedAfter = new Promise(() => undefined)
    const rings = Promise.withResolvers<void>()
    asItRings = async () => rings.resolve()
    const { id, account } = await began({ agent })
    await rings.promise
    const saved = async () =>
      (await at.db.selectFrom('attempt_step').select('state').execute()).map(({ state }) => state)
    await expect.poll(saved, polling).toMatchObject([{ flow: { at: 'ringing', rungAgain: true }, agent: null }])
    await first.stop({ drainMs: 0 })
    const second = at.start({ engineId: 'second', telephony })
    await at.status(id, 'complete')
    const [call] = await callsOf(id)
    expect(call).toMatchObject({
      disposition: 'ANSWER',
      agent_missed: 'busy',
      patch_bill_ms: null,
      uncollected_paisa: 0,
    })
    expect(call?.trail).toMatch(/>end$/)
    expect(timesOf(agent)).toHaveLength(1)
    expect(await account()).toMatchObject({ reserved_paisa: 0 })
    await expectSoundFiles(at)
    expect(await busyNumbers(at)).toEqual([])
    await second.stop({ drainMs: 0 })
  },
)
