import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { newLine } from '../../../testing/seed.ts'
import { polling } from '../../../testing/timeouts.ts'
import type { Engine } from '../../engine.ts'
import { trunkName } from '../../model/calls/trunk-data.ts'
import { rebuildNumbers } from '../../model/campaigns/numbers.sql.ts'
import {
  busyNumbers,
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  type Fixtures,
} from '../../testing/fixtures.ts'
import { dialling, instead, setNumberCaps } from '../../testing/engine.ts'

/** one-number.test.ts beside this has how often a number may be called. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 20, timeScale: 0.02 })
let fixtures: Fixtures
let engine: Engine
/** Calls of trunk tests, and who was in a call when each began. */
const tested: { number: string; busy: number[]; at: Date }[] = []
const watched = instead(at.simulator, (connection) => ({
  async dial(call) {
    if (/-t-?\d+-c$/.test(call.channelId))
      tested.push({ number: call.number, busy: await busyNumbers(at), at: new Date() })
    return connection.dial(call)
  },
}))
const startEngine = () => at.start({ telephony: [watched] })
beforeAll(async () => {
  fixtures = await newFixtures(at, { users: 3, cps: 100, channels: 200 })
  engine = startEngine()
})
const plenty = { answered: 1000, attempted: 1000, platform: 1000 }
afterEach(() => setNumberCaps(at, plenty))

const campaign = (n: number, phones: readonly number[]) =>
  newCampaign(at, {
    user: fixtures.users[n % 3] ?? fixtures.user,
    line: fixtures.line,
    phones,
    status: 'ready',
    flow: at.flow(0),
    reservePaisa: 40,
    retries: 0,
  })
const reason = async (id: number) =>
  (await at.db.selectFrom('campaign').select('reason').where('id', '=', id).executeTakeFirstOrThrow()).reason
const attempts = async (phone: number) =>
  (await at.db.selectFrom('attempt').selectAll().where('phone', '=', phone).orderBy('id').execute()).length
async function mostAtOnce(phone: number): Promise<number> {
  const { rows } = await at.pool.query<{ most: number }>(
    `select max(up)::int as most from (select sum(by) over (order by at, by) as up
       from attempt, lateral (values (claimed_at, 1), (settled_at, -1)) t (at, by) where phone = $1) t`,
    [phone],
  )
  return rows[0]?.most ?? 0
}

test('fifteen campaigns of three accounts call one number one after the other, and each says that another call to it is under way', async () => {
  const phone = 9779841000050
  const ids = await Promise.all(Array.from({ length: 15 }, (_, i) => campaign(i, [phone])))
  const waited = new Set<number>()
  const unfinished = () =>
    at.db
      .selectFrom('campaign')
      .select(['id', 'reason'])
      .where('id', 'in', ids)
      .where('status', '<>', 'complete')
      .execute()
  for (let left = await unfinished(); left.length > 0; left = await unfinished()) {
    for (const one of left) if (one.reason === 'another call to this number is under way') waited.add(one.id)
    await at.tick(() => true)
  }
  expect(waited.size).toBeGreaterThan(9)
  expect(await attempts(phone)).toBe(15)
  expect(await mostAtOnce(phone)).toBe(1)
  expect(await busyNumbers(at)).toEqual([])
  await expectSoundBooks(at)
})

test('the fourth call of a day waits and says so; raised limits let it go on at once', async () => {
  await setNumberCaps(at, { answered: 3, attempted: 10, platform: 20 })
  const phone = 9779841000150
  const id = await campaign(0, Array<number>(5).fill(phone))
  await vi.waitFor(
    async () =>
      expect(await reason(id)).toMatch(/^this number was called 3 times today: it may be called again from .* 00:00$/),
    polling,
  )
  expect(await attempts(phone)).toBe(3)
  expect(await counts(at, id)).toMatchObject({ done: 3, fresh: 2 })
  await setNumberCaps(at, { answered: 4, attempted: 10, platform: 20 })
  await vi.waitFor(async () => expect(await attempts(phone)).toBe(4), polling)
  await setNumberCaps(at, plenty)
  await at.status(id, 'complete')
  expect(await attempts(phone)).toBe(5)
  await expectSoundBooks(at)
})

test('limits that are raised while no engine runs let it go on as soon as one does', exhaustive, async () => {
  await setNumberCaps(at, { answered: 1, attempted: 10, platform: 20 })
  const phone = 9779841000450
  const id = await campaign(0, [phone, phone])
  await vi.waitFor(async () => expect(await reason(id)).toMatch(/^this number was called 1 time today/), polling)
  await engine.stop({ drainMs: 0 })
  await setNumberCaps(at, plenty)
  engine = startEngine()
  await at.status(id, 'complete')
  expect(await attempts(phone)).toBe(2)
  await expectSoundBooks(at)
})

test('a row whose number was called too often expires with its campaign, and is no call', async () => {
  await setNumberCaps(at, { answered: 1, attempted: 1, platform: 20 })
  const phone = 9779841000250
  const id = await campaign(0, [phone, phone])
  await vi.waitFor(async () => expect(await reason(id)).toMatch(/^this number was called 1 time today/), polling)
  await at.db.updateTable('campaign').set({ dial_until: new Date() }).where('id', '=', id).execute()
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ done: 1, expired: 1, fresh: 0 })
  await expectSoundBooks(at)
})

test(
  'where most rows wait for the next day, the campaign says so, though a retry comes first',
  exhaustive,
  async () => {
    const capped = [1, 2, 3].map((n) => 9779841000450 + 100 * n)
    await setNumberCaps(at, { ...plenty, answered: 1 })
    await at.status(await campaign(0, capped), 'complete')
    const id = await newCampaign(at, {
      user: fixtures.users[0] ?? fixtures.user,
      line: fixtures.line,
      phones: [...capped, 9779841000901],
      flow: at.flow(0),
      reservePaisa: 40,
      retries: 1,
      retryMs: 5_000_000, // before midnight, which hours would not be all day
    })
    await vi.waitFor(async () => expect(await reason(id)).toMatch(/^most of its numbers were called as often/), polling)
    const { rows } = await at.pool.query('select count(*)::int as n from contact_retry where campaign_id = $1', [id])
    expect(rows).toEqual([{ n: 4 }])
    await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', id).execute()
    await at.status(id, 'cancelled')
  },
)

test('a trunk is not tested with a number that is in a call', async () => {
  const phone = 9779841000350
  await at.pool.query('insert into number_use (phone, attempt_id) values ($1, -1000)', [phone])
  const { rows } = await at.pool.query<{ id: number }>(
    `insert into trunk_test (trunk_id, dialer_id, kind, phone, cli, by_user_id) values ($1, $2, 'call', $3, '1', $4) returning id`,
    [fixtures.line.trunkId, fixtures.line.dialerId, phone, fixtures.user.userId],
  )
  const test = () =>
    at.db
      .selectFrom('trunk_test')
      .select(['passed', 'result'])
      .where('id', '=', rows[0]?.id ?? 0)
      .executeTakeFirstOrThrow()
  await vi.waitFor(
    async () =>
      expect(await test()).toEqual({
        passed: false,
        result: 'another call to this number is under way, try again when it is over',
      }),
    polling,
  )
  await at.pool.query('delete from number_use where phone = $1', [phone])
})

test('the engine’s own call to the number of a trunk that refuses everything waits until the number is in no other call, takes it, and gives it back', async () => {
  const phone = 9779841000402 // rings until nobody answered
  const refusing = await newLine(at, {
    holders: fixtures.users,
    dialerId: fixtures.line.dialerId,
    channels: 60,
    cps: 100,
  })
  await at.db.updateTable('trunk').set({ test_number: phone }).where('id', '=', refusing.trunkId).execute()
  const { host, port } = await at.db
    .selectFrom('dialer')
    .select(['host', 'port'])
    .where('id', '=', fixtures.line.dialerId)
    .executeTakeFirstOrThrow()
  await at.simulator.control({ host, port }).setTrunkFault(trunkName(refusing.trunkId), 'wrongPrefix')
  const rings = await campaign(0, [phone])
  await vi.waitFor(async () => expect(await busyNumbers(at)).toEqual([phone]), polling)
  const refused = await newCampaign(at, {
    user: fixtures.user,
    line: refusing,
    phones: Array.from({ length: 20 }, (_, i) => 9779843000050 + 100 * i),
    flow: at.flow(0),
    reservePaisa: 40,
  })
  await at.status(refused, 'onHold')
  expect(tested).toEqual([])
  await at.status(rings, 'complete')
  await vi.waitFor(() => expect(tested).toHaveLength(1), polling)
  const [test] = tested
  expect(test).toMatchObject({ number: `+${phone}`, busy: expect.arrayContaining([phone]) })
  const { settled_at } = await at.db
    .selectFrom('attempt')
    .select('settled_at')
    .where('phone', '=', phone)
    .executeTakeFirstOrThrow()
  expect(test?.at.getTime()).toBeGreaterThanOrEqual(settled_at.getTime())
  await vi.waitFor(async () => expect(await busyNumbers(at)).not.toContain(phone), polling)
  const health = () => at.db.selectFrom('trunk_health').selectAll().where('trunk_id', '=', refusing.trunkId).execute()
  await vi.waitFor(
    async () =>
      expect(await health()).toMatchObject([{ hold_reason: expect.stringMatching(/its test number fails|SIP 404/) }]),
    polling,
  )
  await expectSoundBooks(at)
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', refused).execute()
  await at.status(refused, 'cancelled')
})

test(
  'after a crash of the database dialling goes on once the numbers are counted again, and no number has two calls',
  exhaustive,
  async () => {
    const numbers = Array.from({ length: 100 }, (_, i) => 9779842000050 + 100 * i)
    const ids = await Promise.all([0, 1].map((n) => campaign(n, numbers)))
    await vi.waitFor(async () => expect((await busyNumbers(at)).length).toBeGreaterThan(3), polling)
    await at.pool.query('begin; delete from number_use; delete from number_use_others; commit')
    for (const id of ids) await at.status(id, 'complete')
    expect(await rebuildNumbers(at.engine)).toBe(false)
    for (const phone of numbers) expect([phone, await mostAtOnce(phone), await attempts(phone)]).toEqual([phone, 1, 2])
    await expectSoundBooks(at)
  },
)
