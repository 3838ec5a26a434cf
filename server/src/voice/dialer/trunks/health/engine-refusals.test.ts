import { expect, test, vi } from 'vitest'
import type { TrunkFault } from '../../../../drivers/telephony/simulator/numbers.ts'
import { newLine } from '../../../../testing/seed.ts'
import { polling } from '../../../../testing/timeouts.ts'
import { trunkName } from '../../../model/calls/trunk-data.ts'
import {
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  type NewCampaign,
  type Fixtures,
} from '../../../testing/fixtures.ts'
import { dialling } from '../../../testing/engine.ts'

/** equal-refusals.test.ts beside this has when refusals are of the trunk. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 50, timeScale: 0.02, inRealTime: true })
at.start()

/** Numbers that ring and answer, were it not for the trunk. */
const people = (n: number, from = 50) => Array.from({ length: n }, (_, i) => 9779800000000 + 100 * i + from)
const campaign = (fixtures: Fixtures, n: number, of: Partial<NewCampaign> = {}) =>
  newCampaign(at, {
    user: fixtures.users[n] ?? fixtures.top,
    line: fixtures.line,
    phones: people(40),
    flow: at.flow(0),
    channels: 1000,
    reservePaisa: 40,
    ...of,
  })
const rowOf = (id: number) => at.db.selectFrom('campaign').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const said = async (id: number): Promise<Record<string, number>> => {
  const { rows } = await at.pool.query<{ disposition: string; n: number }>(
    'select disposition, count(*)::int as n from attempt where campaign_id = $1 group by 1',
    [id],
  )
  return Object.fromEntries(rows.map(({ disposition, n }) => [disposition, n]))
}
const invitesOf = async (ids: readonly number[]): Promise<number> => {
  const { rows } = await at.pool.query<{ n: number }>(
    'select count(*)::int as n from attempt where campaign_id = any ($1) and q850_cause is not null',
    [ids],
  )
  return rows[0]?.n ?? 0
}
const healthOf = (trunkId: number) =>
  at.db.selectFrom('trunk_health').selectAll().where('trunk_id', '=', trunkId).executeTakeFirst()
async function fault(fixtures: Fixtures, is: TrunkFault | null, trunkId = fixtures.line.trunkId) {
  const { host, port } = await at.db
    .selectFrom('dialer')
    .select(['host', 'port'])
    .where('id', '=', fixtures.line.dialerId)
    .executeTakeFirstOrThrow()
  await at.simulator.control({ host, port }).setTrunkFault(trunkName(trunkId), is)
}
const stop = async (ids: readonly number[]) => {
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', 'in', ids).execute()
  for (const id of ids) await at.status(id, 'cancelled')
}

test('an operator who says 404 to everything costs nobody a number: the campaign is held after ten calls, and goes on by itself when the prefix is right', async () => {
  // Ten calls are known to be refused then; of those a second later a busy machine has not heard yet.
  const fixtures = await newFixtures(at, { cps: 10 })
  await fault(fixtures, 'wrongPrefix')
  const id = await campaign(fixtures, 0)
  await at.status(id, 'onHold')
  expect(await rowOf(id)).toMatchObject({
    hold_cause: 'refusals',
    reason: expect.stringMatching(
      /^its last 10 calls were all refused alike: SIP 404; it will be tried again (at|as soon)/,
    ),
  })
  await vi.waitFor(async () => expect(await counts(at, id)).toMatchObject({ done: 0, in_call: 0 }), polling)
  expect(await invitesOf([id])).toBeLessThan(20)
  expect(Object.keys(await said(id)).filter((how) => how !== 'CANCEL')).toEqual(['CONGESTION'])
  await fault(fixtures, null)
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 40, done: 40 })
  expect((await said(id))['INVALID']).toBeUndefined()
  await expectSoundBooks(at)
})

// The test before has a prefix that was wrong from the beginning.
test(
  'a prefix that breaks a moment after a call rang costs nobody a number either',
  { tags: ['exhaustive'] },
  async () => {
    const fixtures = await newFixtures(at, { cps: 20 })
    const before = await campaign(fixtures, 0, { phones: people(5) })
    await at.status(before, 'complete')
    await fault(fixtures, 'wrongPrefix')
    const id = await campaign(fixtures, 0)
    await at.status(id, 'onHold')
    await vi.waitFor(async () => expect(await counts(at, id)).toMatchObject({ done: 0, in_call: 0 }), polling)
    await fault(fixtures, null)
    await at.status(id, 'complete')
    expect(await counts(at, id)).toMatchObject({ answered: 40, done: 40 })
    expect((await said(id))['INVALID']).toBeUndefined()
    await expectSoundBooks(at)
  },
)

// The first test has the same with 404.
test(
  'an operator who says 402 to everything is a fault of the trunk: held after ten calls, nobody is lost, mended it goes on',
  { tags: ['exhaustive'] },
  async () => {
    const fixtures = await newFixtures(at, { cps: 20 })
    await fault(fixtures, 'noCredit')
    const id = await campaign(fixtures, 0)
    await at.status(id, 'onHold')
    expect(await rowOf(id)).toMatchObject({
      hold_cause: 'trunk',
      reason: expect.stringMatching(/^trunk Trunk \d+ is on hold: 10 calls running failed: 402: it wants to be paid;/),
    })
    expect(await invitesOf([id])).toBeLessThan(20)
    expect(Object.keys(await said(id)).filter((how) => how !== 'CANCEL')).toEqual(['CONGESTION'])
    await fault(fixtures, null)
    await at.status(id, 'complete')
    expect(await counts(at, id)).toMatchObject({ answered: 40, done: 40 })
  },
)

test('one customer’s list of dead numbers holds that campaign and not the trunk, and whoever runs the platform is told: the others’ calls go on', async () => {
  const fixtures = await newFixtures(at, { users: 2, cps: 40 })
  const good = await campaign(fixtures, 0, { phones: people(200) })
  await vi.waitFor(async () => expect((await counts(at, good))['answered']).toBeGreaterThan(0), polling)
  const dead = await campaign(fixtures, 1, { phones: people(40, 4) })
  await at.status(dead, 'onHold')
  expect(await rowOf(dead)).toMatchObject({ hold_cause: 'refusals' })
  await vi.waitFor(async () => expect(await counts(at, dead)).toMatchObject({ done: 0, in_call: 0 }), polling)
  await at.status(good, 'complete')
  expect(await counts(at, good)).toMatchObject({ answered: 200, done: 200 })
  expect(await healthOf(fixtures.line.trunkId)).toBeUndefined()
  const alerts = () =>
    at.db
      .selectFrom('alert')
      .select(['kind', 'detail', 'cleared_at'])
      .where('subject', '=', `campaign ${dead}`)
      .execute()
  const detail = expect.stringMatching(/^its last 10 calls were all refused alike: SIP 404; /)
  expect(await alerts()).toEqual([{ kind: 'campaign_held', detail, cleared_at: null }])
  await stop([dead])
  expect(await alerts()).toEqual([{ kind: 'campaign_held', detail, cleared_at: expect.any(Date) }])
})

test('its owner knows that the numbers are dead and resumes it: it goes on, a hundred at a time, and they are INVALID', async () => {
  const fixtures = await newFixtures(at, { cps: 100 })
  const dead = await campaign(fixtures, 0, { phones: people(40, 4) })
  await at.status(dead, 'onHold')
  await at.db.updateTable('campaign').set({ status: 'resuming', hold_cause: null }).where('id', '=', dead).execute()
  await at.status(dead, 'complete')
  expect((await said(dead))['INVALID']).toBe(40)
  expect(await counts(at, dead)).toMatchObject({ done: 40, waiting: 0 })
})

test('ten equal refusals of two customers hold the trunk; a call that rings lifts it, and nobody was lost', async () => {
  const fixtures = await newFixtures(at, { users: 2, cps: 20 })
  await fault(fixtures, 'wrongPrefix')
  const ids = [
    await campaign(fixtures, 0, { phones: people(20) }),
    await campaign(fixtures, 1, { phones: people(20, 51) }),
  ]
  await vi.waitFor(async () => expect((await healthOf(fixtures.line.trunkId))?.held_since).toBeTruthy(), polling)
  expect(await healthOf(fixtures.line.trunkId)).toMatchObject({
    hold_reason: 'the last 10 calls of 2 customers were all refused alike: SIP 404',
    held_for_refusals: true,
  })
  for (const id of ids) await at.status(id, 'onHold')
  while (((await healthOf(fixtures.line.trunkId))?.probes ?? 0) < 2) await at.tick(() => true)
  await fault(fixtures, null)
  for (const id of ids) await at.status(id, 'complete')
  for (const id of ids) {
    expect(await counts(at, id)).toMatchObject({ answered: 20, done: 20 })
    expect((await said(id))['INVALID']).toBeUndefined()
  }
  expect(await healthOf(fixtures.line.trunkId)).toMatchObject({ held_since: null })
})

test(
  'the trunk is held for one customer’s refusals too when its test number fails likewise, and not when it rings',
  exhaustive,
  async () => {
    const fixtures = await newFixtures(at, { cps: 20 })
    const dead = await newLine(at, { holders: fixtures.users, dialerId: fixtures.line.dialerId, channels: 60, cps: 20 })
    const setNumber = (trunkId: number, test_number: number) =>
      at.db.updateTable('trunk').set({ test_number }).where('id', '=', trunkId).execute()
    // Two numbers: one is called once a minute, whichever of the trunks it belongs to.
    await setNumber(dead.trunkId, 9779841000050)
    await setNumber(fixtures.line.trunkId, 9779841000150)
    await fault(fixtures, 'wrongPrefix', dead.trunkId)
    const [over, beside] = [
      await campaign(fixtures, 0, { line: dead }),
      await campaign(fixtures, 0, { phones: people(40, 4) }),
    ]
    for (const id of [over, beside]) await at.status(id, 'onHold')
    await vi.waitFor(async () => expect((await healthOf(dead.trunkId))?.held_since).toBeTruthy(), polling)
    expect(await healthOf(dead.trunkId)).toMatchObject({
      hold_reason: 'its test number fails as its calls do: its last 10 calls were all refused alike: SIP 404',
    })
    expect(await healthOf(fixtures.line.trunkId)).toBeUndefined()
    await stop([over, beside])
  },
)

test('before a call of the trunk has rung, a number that the operator does not know waits; then it is INVALID', async () => {
  const fixtures = await newFixtures(at, { cps: 20 })
  const id = await campaign(fixtures, 0, { phones: [...people(3, 4), 9779800000007, ...people(2, 50)], channels: 4 })
  await at.status(id, 'complete')
  expect(await said(id)).toEqual({ INVALID: 3, ANSWER: 3 })
  const rows = await at.db
    .selectFrom('attempt')
    .select(['disposition', 'ended_at', 'started_at'])
    .where('campaign_id', '=', id)
    .execute()
  expect(rows.every(({ ended_at, started_at }) => ended_at >= started_at)).toBe(true)
  await expectSoundBooks(at)
})

test('a stop does not wait for what nobody could prove', exhaustive, async () => {
  const fixtures = await newFixtures(at, { cps: 20 })
  const id = await campaign(fixtures, 0, { phones: people(3, 4) })
  await vi.waitFor(async () => expect((await counts(at, id))['in_call']).toBe(3), polling)
  await stop([id])
  expect(await counts(at, id)).toMatchObject({ in_call: 0 })
})
