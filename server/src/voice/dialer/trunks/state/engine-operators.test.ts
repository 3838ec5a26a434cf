import { expect, test, vi } from 'vitest'
import { polling } from '../../../../testing/timeouts.ts'
import { answeringOf, campaignsIn, setFault } from '../../../testing/campaigns.ts'
import { dialling } from '../../../testing/engine.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures } from '../../../testing/fixtures.ts'
import { anotherTrunk, newRoute } from '../../../testing/routes.ts'

/** The decisions are in server/src/voice/scheduler/decide/decide.test.ts. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 50, timeScale: 0.004 })
at.start()
const { reasonOfStream, row, was, ways } = campaignsIn(at)

const [ntc, ncell] = [1, 2]
const others = [0, 2, 3]

/** A trunk for the numbers of Nepal Telecom, and one for all others. */
async function twoTrunks(of: { ntcChannels?: number } = {}) {
  const fixtures = await newFixtures(at, { cps: 100 })
  const second = await anotherTrunk(at, fixtures, { cps: 100, channels: of.ntcChannels ?? 60 })
  const [ncellTrunk, ntcTrunk] = [fixtures.line.trunkId, second]
  await newRoute(at, fixtures, [
    { trunkId: ntcTrunk, priority: 1, weight: 1, operators: [ntc] },
    { trunkId: ncellTrunk, priority: 1, weight: 1, operators: others },
  ])
  const campaign = (phones: number[], more: object = {}) =>
    newCampaign(at, {
      user: fixtures.user,
      line: fixtures.line,
      phones,
      flow: at.flow(0),
      retries: 0,
      reservePaisa: 40,
      byOperator: true,
      ...more,
    })
  return { fixtures, ncellTrunk, ntcTrunk, campaign }
}

test('a full trunk of one operator does not stand in front of the numbers of another, and each operator’s go over its own trunk', async () => {
  const { fixtures, ncellTrunk, ntcTrunk, campaign } = await twoTrunks({ ntcChannels: 1 })
  const id = await campaign([...answeringOf(984, 60), ...answeringOf(980, 60)])
  await vi.waitFor(async () => expect((await ways(id))[`${ncell} over ${ncellTrunk}`]).toBe(60), polling)
  const then = await ways(id)
  expect(then[`${ntc} over ${ntcTrunk}`] ?? 0).toBeLessThan(45)
  await at.db.updateTable('trunk').set({ channels: 60 }).where('id', '=', ntcTrunk).execute()
  await at.status(id, 'complete')
  expect(await ways(id)).toEqual({ [`${ntc} over ${ntcTrunk}`]: 60, [`${ncell} over ${ncellTrunk}`]: 60 })
  expect(await was(id, 'onHold')).toBe(false)
  await expectSoundBooks(at)
  expect(fixtures.line.trunkId).toBe(ncellTrunk)
})

test('when one operator’s trunk is out of order, the others’ numbers are called; then the campaign is on hold until it works', async () => {
  const { ncellTrunk, ntcTrunk, campaign } = await twoTrunks()
  await setFault(at, ntcTrunk, 'unreachable')
  const id = await campaign([...answeringOf(984, 40), ...answeringOf(980, 400)])
  await vi.waitFor(async () => expect(await reasonOfStream(id, ntc)).toContain('is on hold'), polling)
  expect(await reasonOfStream(id, ncell)).toBeNull()
  await at.status(id, 'onHold')
  // Some of these may still be up when nothing is left to call.
  await vi.waitFor(async () => expect(await ways(id)).toEqual({ [`${ncell} over ${ncellTrunk}`]: 400 }), polling)
  expect((await row(id)).reason).toMatch(/^trunk .+ is on hold/)
  await setFault(at, ntcTrunk, null)
  await at.status(id, 'complete')
  expect((await ways(id))[`${ntc} over ${ntcTrunk}`]).toBe(40)
  await expectSoundBooks(at)
})

test(
  'a campaign whose operators all have no trunk that works says so of each, and goes on with whichever comes back first',
  exhaustive,
  async () => {
    const { ncellTrunk, ntcTrunk, campaign } = await twoTrunks()
    for (const trunkId of [ncellTrunk, ntcTrunk]) await setFault(at, trunkId, 'unreachable')
    const id = await campaign([...answeringOf(984, 20), ...answeringOf(980, 20)])
    await at.status(id, 'onHold')
    const says = /^numbers of Nepal Telecom: trunk .+ is on hold.+; numbers of Ncell: trunk .+ is on hold/
    await vi.waitFor(async () => expect((await row(id)).reason).toMatch(says), polling) // once all rows are back
    await setFault(at, ntcTrunk, null)
    await vi.waitFor(async () => expect((await ways(id))[`${ntc} over ${ntcTrunk}`]).toBe(20), polling)
    expect(await ways(id)).toEqual({ [`${ntc} over ${ntcTrunk}`]: 20 })
    await setFault(at, ncellTrunk, null)
    await at.status(id, 'complete')
    await expectSoundBooks(at)
  },
)

test('a trunk that an administrator stops keeps its operator’s numbers alone', async () => {
  const { fixtures, ncellTrunk, ntcTrunk, campaign } = await twoTrunks()
  const stop = { kind: 'trunk', target_id: ntcTrunk, reason: 'complaints', by_user_id: fixtures.top.userId }
  await at.db.insertInto('dial_block').values(stop).execute()
  const id = await campaign([...answeringOf(984, 20), ...answeringOf(980, 20)])
  await vi.waitFor(async () => expect(await ways(id)).toEqual({ [`${ncell} over ${ncellTrunk}`]: 20 }), polling)
  await vi.waitFor(async () => expect(await reasonOfStream(id, ntc)).toContain('complaints'), polling)
  expect(await was(id, 'onHold')).toBe(false)
  await at.db.updateTable('dial_block').set({ lifted_at: new Date() }).where('target_id', '=', ntcTrunk).execute()
  await at.status(id, 'complete')
  await expectSoundBooks(at)
})

test(
  'a route that is changed while its campaign runs takes its numbers from then on, and gone back to none, over the caller ID’s trunk',
  exhaustive,
  async () => {
    const { fixtures, ncellTrunk, ntcTrunk, campaign } = await twoTrunks({ ntcChannels: 2 })
    const id = await campaign([...answeringOf(984, 300), ...answeringOf(980, 5)])
    await vi.waitFor(async () => expect((await ways(id))[`${ntc} over ${ntcTrunk}`]).toBeGreaterThan(0), polling)
    await newRoute(at, fixtures, [{ trunkId: ncellTrunk, priority: 1, weight: 1 }])
    await vi.waitFor(async () => expect((await ways(id))[`${ntc} over ${ncellTrunk}`]).toBeGreaterThan(20), polling)
    await at.db.updateTable('cli').set({ route_id: null }).where('id', '=', fixtures.line.cliId).execute()
    await at.status(id, 'complete')
    expect(await counts(at, id)).toMatchObject({ answered: 305, done: 305 })
    await expectSoundBooks(at)
  },
)

test(
  'a campaign that was prepared before its route named operators takes the trunks for all of them',
  exhaustive,
  async () => {
    const { fixtures, ncellTrunk, ntcTrunk, campaign } = await twoTrunks()
    const third = await anotherTrunk(at, fixtures, { cps: 100 })
    await newRoute(at, fixtures, [
      { trunkId: ntcTrunk, priority: 1, weight: 1, operators: [ntc] },
      { trunkId: ncellTrunk, priority: 1, weight: 1, operators: [ncell] },
      { trunkId: third, priority: 2, weight: 1 },
    ])
    const id = await campaign([...answeringOf(984, 10), ...answeringOf(980, 10)], { byOperator: false })
    await at.status(id, 'complete')
    expect(await ways(id)).toEqual({ [`${ntc} over ${third}`]: 10, [`${ncell} over ${third}`]: 10 })
    await expectSoundBooks(at)
  },
)

test('rows that are due again and later rows of a number are called over their own operator’s trunk', async () => {
  const { ncellTrunk, ntcTrunk, campaign } = await twoTrunks()
  const busy = answeringOf(984, 10).map((phone) => phone - 45) // 01: busy
  const id = await campaign(
    [...busy, ...answeringOf(980, 10), ...answeringOf(984, 5, 50), ...answeringOf(984, 5, 50)],
    {
      retries: 2,
      retryMs: 1000,
    },
  )
  await at.status(id, 'complete')
  const { rows } = await at.pool.query<{ way: string }>(
    `select distinct operator || ' over ' || trunk_id as way from attempt where campaign_id = $1 order by 1`,
    [id],
  )
  expect(rows.map(({ way }) => way)).toEqual([`${ntc} over ${ntcTrunk}`, `${ncell} over ${ncellTrunk}`])
  expect(await counts(at, id)).toMatchObject({ answered: 20, done: 30 })
  await expectSoundBooks(at)
})

test(
  'while all calls to one operator are refused alike, the others’ numbers are called, and nothing is final of those that a wrong trunk may have refused',
  exhaustive,
  async () => {
    const { fixtures, ncellTrunk, ntcTrunk, campaign } = await twoTrunks()
    const unknown = answeringOf(984, 30).map((phone) => phone - 42) // 04: no such number, says the operator
    const id = await campaign([...unknown, ...answeringOf(980, 300)])
    await vi.waitFor(async () => expect(await reasonOfStream(id, ntc)).toContain('were all refused alike'), polling)
    await vi.waitFor(async () => expect((await ways(id))[`${ncell} over ${ncellTrunk}`]).toBe(300), polling)
    const { rows } = await at.pool.query(
      `select from campaign_contact where campaign_id = $1 and state = 'done' and disposition = 'INVALID'`,
      [id],
    )
    expect(rows.length).toBeLessThan(30)
    await at.status(id, 'onHold')
    expect((await row(id)).reason).toContain('were all refused alike')
    const [alive] = answeringOf(984, 1, 900)
    await newCampaign(at, {
      user: fixtures.user,
      line: fixtures.line,
      phones: [alive ?? 0],
      flow: at.flow(0),
      reservePaisa: 40,
      byOperator: true,
    })
    await vi.waitFor(
      async () =>
        expect(
          await at.db
            .selectFrom('attempt')
            .select('id')
            .where('phone', '=', alive ?? 0)
            .execute(),
        ).toHaveLength(1),
      polling,
    )
    await at.db.updateTable('campaign').set({ status: 'resuming' }).where('id', '=', id).execute()
    await at.status(id, 'complete')
    expect(ntcTrunk).not.toBe(ncellTrunk)
    await expectSoundBooks(at)
  },
)
