import { expect, test, vi } from 'vitest'
import { polling } from '../../../../testing/timeouts.ts'
import { answering, campaignsIn, setFault } from '../../../testing/campaigns.ts'
import { dialling } from '../../../testing/engine.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../../testing/fixtures.ts'
import { anotherTrunk, newRoute } from '../../../testing/routes.ts'

/** engine-operators.test.ts has a campaign that waits for its trunk. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 50, timeScale: 0.004 })
at.start()
const { over, was } = campaignsIn(at)

const another = (fixtures: Fixtures, of: { cps?: number; channels?: number } = {}) => anotherTrunk(at, fixtures, of)
const isHeld = async (trunkId: number) =>
  (await at.db
    .selectFrom('trunk_health')
    .select('trunk_id')
    .where('trunk_id', '=', trunkId)
    .where('held_since', 'is not', null)
    .executeTakeFirst()) !== undefined

test('when the first trunk of a route does not answer, its campaign goes on over the second without being held; mended, the first carries calls again', async () => {
  const fixtures = await newFixtures(at, { cps: 40 })
  const first = fixtures.line.trunkId
  const second = await another(fixtures)
  await newRoute(at, fixtures, [
    { trunkId: first, priority: 1, weight: 1 },
    { trunkId: second, priority: 2, weight: 1 },
  ])
  await setFault(at, first, 'unreachable')
  const { user, line } = fixtures
  const of = { user, line, flow: at.flow(0), retries: 0, reservePaisa: 40 }
  const id = await newCampaign(at, { ...of, phones: answering(120, 9779840000000) })
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 120, done: 120 })
  expect(await over(id)).toEqual({ [second]: 120 })
  expect(await isHeld(first)).toBe(true)
  expect(await was(id, 'onHold')).toBe(false)
  await setFault(at, first, null)
  const next = await newCampaign(at, { ...of, phones: answering(600, 9779850000000) })
  await vi.waitFor(async () => expect(await isHeld(first)).toBe(false), polling)
  await at.status(next, 'complete')
  expect(Object.keys(await over(next))).toContain(String(first))
  await expectSoundBooks(at)
})

test('trunks of one priority share the calls by weight; no call goes over a trunk beyond its channels', async () => {
  const fixtures = await newFixtures(at, { cps: 100, channels: 8 })
  const second = await another(fixtures, { cps: 100, channels: 8 })
  await newRoute(at, fixtures, [
    { trunkId: fixtures.line.trunkId, priority: 1, weight: 1 },
    { trunkId: second, priority: 1, weight: 3 },
  ])
  const { user, line } = fixtures
  const id = await newCampaign(at, {
    user,
    line,
    phones: answering(200, 9779860000000),
    flow: at.flow(0),
    retries: 0,
    reservePaisa: 40,
    channels: 8,
  })
  await at.status(id, 'complete')
  const { [line.trunkId]: light = 0, [second]: heavy = 0 } = await over(id)
  expect(light + heavy).toBe(200)
  expect(heavy).toBeGreaterThan(light * 1.5)
  expect(light).toBeGreaterThan(0)
  await expectSoundBooks(at)
})

test(
  'a campaign with a route is on hold when no trunk of it carries calls, and goes on over whichever comes back first',
  exhaustive,
  async () => {
    const fixtures = await newFixtures(at, { cps: 40 })
    const first = fixtures.line.trunkId
    const second = await another(fixtures)
    await newRoute(at, fixtures, [
      { trunkId: first, priority: 1, weight: 1 },
      { trunkId: second, priority: 2, weight: 1 },
    ])
    for (const trunkId of [first, second]) await setFault(at, trunkId, 'unreachable')
    const { user, line } = fixtures
    const phones = answering(60, 9779870000000)
    const id = await newCampaign(at, { user, line, phones, flow: at.flow(0), retries: 0, reservePaisa: 40 })
    await at.status(id, 'onHold')
    await setFault(at, second, null)
    await at.status(id, 'complete')
    expect(await over(id)).toEqual({ [second]: 60 })
    await expectSoundBooks(at)
  },
)
