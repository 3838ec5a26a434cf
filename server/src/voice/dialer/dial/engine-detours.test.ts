import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { TrunkFault } from '../../../drivers/telephony/simulator/numbers.ts'
import { newLine } from '../../../testing/seed.ts'
import { polling } from '../../../testing/timeouts.ts'
import { attemptsOf, firstAttempt } from '../../testing/attempts.ts'
import { answering, setFault } from '../../testing/campaigns.ts'
import { dialling, poolWith } from '../../testing/engine.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { anotherTrunk, newRoute } from '../../testing/routes.ts'

const at = await dialling({ speed: 50, timeScale: 0.004 })
/** What happens when a call goes on over another trunk. */
let beforeDetour: (() => Promise<void>) | null = null
const pool = poolWith(at, 'detour', async (send) => {
  await beforeDetour?.()
  return send()
})
/** One for each test, with three trunks. */
const unused: { fixtures: Fixtures; trunkIds: number[] }[] = []
beforeAll(async () => {
  // Before the engine starts: it tells a dialer that it has already of further trunks only every 2 s, and no call goes over them until then.
  while (unused.length < 10) {
    const fixtures = await newFixtures(at, { cps: 40 })
    const others = [await anotherTrunk(at, fixtures), await anotherTrunk(at, fixtures)]
    unused.push({ fixtures, trunkIds: [fixtures.line.trunkId, ...others] })
  }
  at.start({ pool })
})
afterEach(() => (beforeDetour = null))

/** Trunks of one route, in order. */
async function over(faults: readonly (TrunkFault | null)[]): Promise<{ fixtures: Fixtures; trunkIds: number[] }> {
  const { fixtures, trunkIds: all } = unused.shift() ?? expect.fail('there are fewer fixtures than tests')
  const trunkIds = all.slice(0, faults.length)
  await newRoute(
    at,
    fixtures,
    trunkIds.map((trunkId, n) => ({ trunkId, priority: n + 1, weight: 1 })),
  )
  for (const [n, trunkId] of trunkIds.entries()) await setFault(at, trunkId, faults[n] ?? null)
  return { fixtures, trunkIds }
}
const campaign = ({ user, line }: Fixtures, phones: number[]) =>
  newCampaign(at, { user, line, phones, flow: at.flow(0), retries: 0, reservePaisa: 40 })

test.each<{ fault: TrunkFault; phone: number }>([
  { fault: 'refusing', phone: 9779840100046 },
  { fault: 'unreachable', phone: 9779840100146 },
  { fault: 'silent', phone: 9779840100246 },
])(
  'a call that a $fault trunk does not carry goes on over the next one, as one attempt with one charge',
  async ({ fault, phone }) => {
    const { fixtures, trunkIds } = await over([fault, null])
    const [first = 0, second = 0] = trunkIds
    const id = await campaign(fixtures, [phone])
    await at.status(id, 'complete')
    const tried = [first]
    expect(await attemptsOf(at, id)).toMatchObject([
      { disposition: 'ANSWER', trunkId: second, tried, pulses: 1, cost_paisa: 40 },
    ])
    expect(await counts(at, id)).toMatchObject({ attempts: 1, answered: 1, done: 1 })
    await expectSoundBooks(at)
  },
)

test('each trunk of a route is tried once; the attempt tells of the last, and its row waits', async () => {
  const { fixtures, trunkIds } = await over(['refusing', 'refusing', 'refusing'])
  const [first = 0, second = 0, third = 0] = trunkIds
  const id = await campaign(fixtures, answering(1, 9779840200000))
  const tried = [first, second]
  expect(await firstAttempt(at, id)).toMatchObject({
    disposition: 'CONGESTION',
    sip_status: 503,
    trunkId: third,
    tried,
  })
  expect(await counts(at, id)).toMatchObject({ answered: 0, done: 0 })
})

test('where the next trunk has no channel, the call does not wait for one: its row does', async () => {
  const { fixtures, trunkIds } = await over(['refusing', null])
  const [first = 0, second = 0] = trunkIds
  await at.db.updateTable('trunk').set({ channels: 1 }).where('id', '=', second).execute()
  const { user, line } = fixtures
  const talks = await newCampaign(at, {
    user,
    line: await newLine(at, { holders: [user], dialerId: line.dialerId, trunkId: second }),
    phones: [9779840300199],
    flow: at.flow(1, { menuWaitSeconds: 600 }), // far longer than a busy machine needs for the other call
    retries: 0,
  })
  await vi.waitFor(async () => expect(await counts(at, talks)).toMatchObject({ in_call: 1 }), polling)
  const id = await campaign(fixtures, answering(1, 9779840300000))
  expect(await firstAttempt(at, id)).toMatchObject({ disposition: 'CONGESTION', trunkId: first, tried: null })
})

test.each<{
  what: string
  phone: number
  happens: (of: { fixtures: Fixtures; id: number; second: number; phone: number }) => Promise<unknown>
}>([
  {
    what: 'its campaign is paused',
    phone: 9779840400046,
    happens: ({ id }) => at.db.updateTable('campaign').set({ status: 'pausing' }).where('id', '=', id).execute(),
  },
  {
    what: 'all dialling over the next trunk is stopped',
    phone: 9779840400146,
    happens: ({ second, fixtures: { top } }) =>
      at.db
        .insertInto('dial_block')
        .values({ kind: 'trunk', target_id: second, reason: 'maintenance', by_user_id: top.userId })
        .execute(),
  },
  {
    what: 'its number is blacklisted',
    phone: 9779840400246,
    happens: ({ fixtures: { user }, phone }) =>
      at.db.insertInto('blacklist').values({ owner_id: user.userId, phone }).execute(),
  },
  {
    what: 'the next trunk is taken out of the route',
    phone: 9779840400346,
    happens: ({ second }) => at.db.deleteFrom('call_route_step').where('trunk_id', '=', second).execute(),
  },
])('a call does not go on once $what', async ({ phone, happens }) => {
  const { fixtures, trunkIds } = await over(['refusing', null])
  const [first = 0, second = 0] = trunkIds
  const id = await campaign(fixtures, [phone])
  let seen = 0
  beforeDetour = async () => {
    if (seen++ === 0) await happens({ fixtures, id, second, phone })
  }
  expect(await firstAttempt(at, id)).toMatchObject({ trunkId: first, tried: null })
  expect(seen).toBeGreaterThan(0)
})

test('a call whose database does not answer is not dialled over the next trunk, and its row is called again', async () => {
  const { fixtures, trunkIds } = await over(['refusing', null])
  const [first = 0, second = 0] = trunkIds
  const id = await campaign(fixtures, answering(1, 9779840500000))
  let fails = 1
  beforeDetour = async () => {
    if (fails-- > 0) throw new Error('the connection is gone')
  }
  await at.status(id, 'complete')
  const [given, ...rest] = await attemptsOf(at, id)
  expect(given).toMatchObject({ disposition: 'CANCEL', trunkId: first })
  expect(rest.at(-1)).toMatchObject({ disposition: 'ANSWER', trunkId: second })
  await expectSoundBooks(at)
})
