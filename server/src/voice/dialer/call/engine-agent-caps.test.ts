import { connectFlow } from '@ghanti/callflow/flow.ts'
import { afterEach, expect, test } from 'vitest'
import { busyNumbers, expectSoundFiles, newCampaign, newFixtures } from '../../testing/fixtures.ts'
import { dialling, instead, setNumberCaps } from '../../testing/engine.ts'

const at = await dialling({ speed: 20, timeScale: 0.001 })
const rung: string[] = []
const telephony = [
  instead(at.simulator, (connection) => ({
    dial: (request) => (rung.push(request.number), connection.dial(request)),
  })),
]
at.start({ telephony })

const price = { pulseMs: 15_000, pulsePaisa: 40 }
const prices = [price, price, price]
/** The agents' last digits: busy, answers and leaves after 2 s, after 5 s, stays until somebody hangs up. */
const [busy, leaves, stays] = ['01', '09', '33']
let last = 9779824000000
/** Numbers that answer and press the key after 2 s, new ones at each call. */
const pressing = (key: number, n: number): number[] => Array.from({ length: n }, () => (last += 100) + 10 + key)
const agentOf = (suffix: string): string => `+${(last += 100)}`.slice(0, -2) + suffix

const capAt = (calls: number) => setNumberCaps(at, { answered: calls, attempted: calls, platform: calls })

type Of = { agents: { number: string; key: '1' | '2' }[]; phones: number[]; rupees?: number }

/** One call after the other. */
async function patched({ agents, phones, rupees = 1000 }: Of) {
  const fixtures = await newFixtures(at, { rupees })
  const { user, line } = fixtures
  const id = await newCampaign(at, {
    user,
    line,
    phones,
    flow: at.flow(2, { agents }),
    prices,
    reservePaisa: 400,
    retries: 0,
    channels: 1,
  })
  await at.status(id, 'complete')
  const calls = await at.db.selectFrom('attempt').selectAll().where('campaign_id', '=', id).orderBy('id').execute()
  return { ...fixtures, id, calls }
}

const missed = ({ calls }: Awaited<ReturnType<typeof patched>>) => calls.map((call) => call.agent_missed)
const timesRung = (agent: string): number => rung.filter((number) => number === agent).length

afterEach(async () => {
  await expectSoundFiles(at)
  expect(await busyNumbers(at)).toEqual([])
})

test('an agent who is busy is rung as often a day as all accounts together may call a number, and the call says why it was not rung', async () => {
  await capAt(5)
  const agent = agentOf(busy)
  const agents = [{ number: agent, key: '1' as const }]
  expect(missed(await patched({ agents, phones: pressing(1, 2) }))).toEqual(['busy', 'busy'])
  expect(missed(await patched({ agents, phones: pressing(1, 3) })), 'of another account').toEqual([
    'busy',
    'calledOften',
    'calledOften',
  ])
  expect(timesRung(agent), 'twice a call').toBe(5)
})

// schedule/numbers/agents-counted.test.ts has what counts.
test('an answered agent counts unless both sides stayed for ten seconds', { tags: ['exhaustive'] }, async () => {
  await capAt(2)
  const [hasty, working] = [agentOf(leaves), agentOf(stays)]
  const short = await patched({ agents: [{ number: hasty, key: '1' }], phones: pressing(1, 4) })
  expect(missed(short)).toEqual([null, null, 'calledOften', 'calledOften'])
  expect(timesRung(hasty)).toBe(2)
  for (let n = 0; n < 4; n++)
    // the money ends each talk
    expect(
      missed(await patched({ agents: [{ number: working, key: '1' }], phones: pressing(1, 1), rupees: 6 })),
    ).toEqual([null])
  expect(timesRung(working)).toBe(4)
})

// schedule/numbers/agents-counted.test.ts has what counts.
test('calls to a number as a customer and as an agent count together', { tags: ['exhaustive'] }, async () => {
  await capAt(2)
  const agent = agentOf(busy)
  const { user, line } = await newFixtures(at)
  const phones = [Number(agent.slice(1))]
  const silent = { user, line, phones, prices, reservePaisa: 400, retries: 0 }
  await at.status(await newCampaign(at, silent), 'complete')
  const agents = [{ number: agent, key: '1' as const }]
  expect(missed(await patched({ agents, phones: pressing(1, 2) }))).toEqual(['busy', 'calledOften'])
  const waits = await newCampaign(at, silent)
  await at.tick(({ campaigns }) => campaigns.some(({ reason }) => /called .* today/.test(reason ?? '')))
  expect(timesRung(agent), 'as a customer neither').toBe(2)
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', waits).execute()
  await at.status(waits, 'cancelled')
})

test('an agent who is blacklisted after the campaign was composed is not rung, and the caller may choose another', async () => {
  await capAt(20)
  const barred = agentOf(stays)
  const other = agentOf(busy)
  const platform = await at.db.selectFrom('account').select('id').where('kind', '=', 'mint').executeTakeFirstOrThrow()
  await at.db
    .insertInto('blacklist')
    .values({ owner_id: platform.id, phone: Number(barred.slice(1)) })
    .execute()
  const agents = [
    { number: barred, key: '1' as const },
    { number: other, key: '2' as const },
  ]
  expect(missed(await patched({ agents, phones: pressing(1, 1) }))).toEqual(['blacklisted'])
  expect(timesRung(barred)).toBe(0)
})

/** A Call Now: the agent's telephone rings first. */
async function callNow(agent: string, suffix: string): Promise<string[]> {
  const { user, line } = await newFixtures(at, { rupees: 6 })
  const customer = agentOf(suffix)
  const flow = connectFlow({ agent, customer })
  const phones = [Number(customer.slice(1))]
  const more = { prices, reservePaisa: 400, retries: 0, status: 'paused' as const }
  const id = await newCampaign(at, { user, line, phones, flow, ...more })
  const isOwn = { is_test: true, is_call_now: true, ring_seconds: 25, status: 'ready' as const }
  await at.db.updateTable('campaign').set(isOwn).where('id', '=', id).execute()
  await at.status(id, 'complete')
  const calls = await at.db.selectFrom('attempt').selectAll().where('campaign_id', '=', id).execute()
  return calls.map((call) => `${call.disposition} ${call.agent_missed}`)
}

// schedule/numbers/agents-counted.test.ts has what counts.
test(
  'Call Nows that the agent does not answer count towards the cap of the agent’s number, and so do those that nobody talks in',
  { tags: ['exhaustive'] },
  async () => {
    await capAt(2)
    const [silent, alone, working] = [agentOf(busy), agentOf(stays), agentOf(stays)]
    for (const is of ['CANCEL notReached', 'CANCEL notReached', 'CANCEL calledOften'])
      expect(await callNow(silent, '37')).toEqual([is])
    expect(timesRung(silent)).toBe(2)
    for (const is of ['BUSY null', 'ANSWER null', 'CANCEL calledOften'])
      expect(await callNow(alone, is === 'BUSY null' ? busy : '09')).toEqual([is])
    expect(timesRung(alone)).toBe(2)
    for (let n = 0; n < 3; n++) expect(await callNow(working, '33')).toEqual(['ANSWER null'])
  },
)
