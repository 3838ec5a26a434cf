import { pino } from 'pino'
import { expect, test } from 'vitest'
import { busyNumbers, counts, expectSoundFiles, newCampaign, newFixtures } from '../../testing/fixtures.ts'
import { dialling, instead } from '../../testing/engine.ts'
import { newContract } from '../../testing/routes.ts'

/** engine-agent-caps.test.ts beside this and server/src/voice/dialer/trunks/limits/agent-room.test.ts have when no agent is rung. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 20, timeScale: 0.001 })
/** 11: answers, presses 1 after 2 s. The agent 37 speaks and hangs up after 10 s, 33 stays until hung up on. */
const agents = [
  { number: '+9779801111137', key: '1' as const },
  { number: '+9779801111133', key: '2' as const },
  { number: '+97798', key: '4' as const },
  { number: '+9779801111155', key: '5' as const },
]
/** Of the last one the dialer says that a channel of its name lives. */
const telephony = [
  instead(at.simulator, (connection) => ({
    dial: async (request) => (request.number.endsWith('1155') ? { outcome: 'exists' } : await connection.dial(request)),
  })),
]
const pressing = (key: number, n = 1) => Array.from({ length: n }, (_, i) => 9779822000010 + key + 100 * i)
const price = { pulseMs: 15_000, pulsePaisa: 40 }
const prices = [price, price, price]

async function patched(of: { phones: number[]; rupees?: number; agentsChannels?: number; contract?: number }) {
  const fixtures = await newFixtures(at, {
    rupees: of.rupees ?? 1000,
    ...(of.agentsChannels ? { channels: of.agentsChannels } : {}),
  })
  const { user, line } = fixtures
  if (of.contract) await newContract(at, { trunkIds: [line.trunkId], channels: of.contract, cps: 60 })
  const flow = at.flow(2, { agents })
  const id = await newCampaign(at, {
    user,
    line,
    phones: of.phones,
    flow,
    prices,
    reservePaisa: 400,
    retries: 0,
  })
  await at.status(id, 'complete')
  await expectSoundFiles(at)
  const attempts = await at.db.selectFrom('attempt').selectAll().where('campaign_id', '=', id).orderBy('id').execute()
  return { id, attempts, user }
}
const said: string[] = []
at.start({ telephony, log: pino({ write: (line: string) => void said.push(line) }) })

test('a key bridges the caller to its agent: both legs are billed, the conversation is recorded and stored', async () => {
  const { id, attempts } = await patched({ phones: pressing(1) })
  const [call] = attempts
  expect(call).toMatchObject({
    disposition: 'ANSWER',
    keys: '1',
    agent: '+9779801111137',
    agent_missed: null,
    uncollected_paisa: 0,
  })
  expect(call?.patch_bill_ms).toBeGreaterThan(10_000 - 100)
  expect(call?.patch_bill_ms).toBeLessThan(15_000)
  expect(call?.bill_ms).toBeGreaterThan((call?.patch_bill_ms ?? 0) + 2000)
  expect(await counts(at, id)).toMatchObject({ answered: 1 })
  const recorded = async () =>
    at.db
      .selectFrom('recording')
      .selectAll()
      .where('attempt_id', '=', call?.id ?? 0)
      .executeTakeFirst()
  while (!(await recorded())) await at.tick(() => true)
  expect(await recorded()).toMatchObject({ id: call?.recording, campaign_id: id })
  expect(await busyNumbers(at)).toEqual([])
})

test(
  'an agent who cannot be called by an error of ours is not reached, and nobody waits for the agent’s leg when the customer is gone',
  exhaustive,
  async () => {
    const { attempts } = await patched({ phones: pressing(4) })
    expect(attempts[0]).toMatchObject({
      disposition: 'ANSWER',
      keys: '4',
      agent: null,
      patch_bill_ms: null,
      agent_missed: 'notReached',
    })
    expect(said.filter((line) => line.includes('overdue calls'))).toEqual([])
  },
)

test('an agent whose channel is said to live already, and does not, is not reached', exhaustive, async () => {
  const { attempts } = await patched({ phones: pressing(5) })
  expect(attempts[0]).toMatchObject({ disposition: 'ANSWER', keys: '5', agent: null, agent_missed: 'notReached' })
  expect(await busyNumbers(at)).toEqual([])
})

test('an agent takes one call at a time', async () => {
  const { attempts } = await patched({ phones: pressing(1, 6) })
  const talked = attempts.filter((call) => call.patch_bill_ms !== null)
  expect(talked.length).toBeGreaterThan(0)
  expect(talked.length).toBeLessThan(6)
  expect(attempts).toHaveLength(6)
  for (const call of attempts) expect(call.agent_missed).toBe(call.patch_bill_ms === null ? 'notFree' : null)
})

const leavesRoom =
  'calls leave a channel to the agent’s leg: $where full of calls whoever finds the agent free is joined'
async function expectRoom(of: { agentsChannels?: number; contract?: number }): Promise<void> {
  const { attempts } = await patched({ phones: pressing(1, 24), ...of })
  expect(attempts).toHaveLength(24)
  expect(attempts.filter((call) => call.agent_missed === 'noChannel')).toEqual([])
  expect(attempts.filter((call) => call.patch_bill_ms !== null).length).toBeGreaterThan(2)
}

test.each([{ where: 'on a trunk whose contract is', contract: 6 }])(leavesRoom, expectRoom)

// agent-room.test.ts has both.
test.each([{ where: 'on a trunk that is', agentsChannels: 6 }])(leavesRoom, { tags: ['exhaustive'] }, expectRoom)

test(
  'where a trunk has a single channel the call says that no channel was free, not that no agent was',
  exhaustive,
  async () => {
    const { attempts } = await patched({ phones: pressing(1), agentsChannels: 1 })
    expect(attempts[0]).toMatchObject({ disposition: 'ANSWER', patch_bill_ms: null, agent_missed: 'noChannel' })
  },
)

test('a talk is reserved minute by minute and ends when the money ends, charged to what was there', async () => {
  // 400 are reserved; talking to someone who never hangs up takes 16 per minute and leg pulse of 40: the money is over within three minutes
  const { attempts, user } = await patched({ phones: pressing(2), rupees: 10 })
  const [call] = attempts
  expect(call).toMatchObject({ disposition: 'ANSWER', agent: '+9779801111133', uncollected_paisa: 0, ended_by: 'us' })
  expect((call?.patch_bill_ms ?? 0) % 60_000).toBeLessThan(1000)
  expect(call?.patch_bill_ms).toBeGreaterThanOrEqual(60_000)
  const account = await at.db.selectFrom('account').selectAll().where('id', '=', user.userId).executeTakeFirstOrThrow()
  expect(account.reserved_paisa).toBe(0)
  expect(account.balance_paisa).toBe(1000 - (call?.cost_paisa ?? 0))
  expect(account.balance_paisa).toBeLessThan(2 * 4 * 40 + 80) // not enough for another minute of two legs
})
