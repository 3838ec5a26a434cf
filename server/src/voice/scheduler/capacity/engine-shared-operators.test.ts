// @module-tag exhaustive
// Cheaper: server/src/voice/scheduler/capacity/engine-shared.test.ts has several dialers, server/src/voice/dialer/trunks/state/engine-operators.test.ts the operators.
import { expect, test, vi } from 'vitest'
import { polling } from '../../../testing/timeouts.ts'
import { answeringOf, campaignsIn, setFault } from '../../testing/campaigns.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { losableDialers } from '../../testing/crash/losable-dialers.ts'
import { anotherDialer, newContract, newRoute } from '../../testing/routes.ts'
import { callsOver, mostASecond, mostAtOnce } from '../../testing/traffic.ts'

/** The same of one dialer: engine-operators.test.ts; a dialer that is lost: engine-shared.test.ts; shares of a contract: contract-grants.test.ts. */
const exhaustive = { tags: ['exhaustive'] }

const speed = 50
const at = await losableDialers({ speed, timeScale: 0.004 })
const { lose, comeBack } = at
const { reasonOfStream, row, was, ways } = campaignsIn(at)

const [other, ntc, ncell, smart] = [0, 1, 2, 3]
type Place = { dialerId: number; trunkId: number }

/** The caller ID's dialer carries Nepal Telecom, another one Ncell, and a third one all. */
async function threeDialers(of: { third?: number[] | null } = {}) {
  const fixtures = await newFixtures(at, { cps: 60, channels: 60 })
  const ofNtc: Place = { dialerId: fixtures.line.dialerId, trunkId: fixtures.line.trunkId }
  const ofNcell: Place = await anotherDialer(at, { cps: 60 })
  const third: Place = await anotherDialer(at, { cps: 60 })
  const served = of.third === undefined ? null : of.third
  await newRoute(at, fixtures, [
    { trunkId: ofNtc.trunkId, priority: 1, weight: 1, operators: [ntc] },
    { trunkId: ofNcell.trunkId, priority: 1, weight: 1, operators: [ncell] },
    { trunkId: third.trunkId, priority: 1, weight: 1, ...(served ? { operators: served } : {}) },
  ])
  await at.areSet([ofNtc, ofNcell, third].map(({ trunkId }) => trunkId))
  return { fixtures, ofNtc, ofNcell, third }
}

const campaign = ({ user, line }: Fixtures, phones: number[], more: object = {}) =>
  newCampaign(at, {
    user,
    line,
    phones,
    status: 'ready',
    flow: at.flow(0),
    retries: 0,
    reservePaisa: 40,
    byOperator: true,
    ...more,
  })

const allowed = ({ ofNtc, ofNcell, third }: { ofNtc: Place; ofNcell: Place; third: Place }) => [
  `${ntc} over ${ofNtc.trunkId}`,
  `${ncell} over ${ofNcell.trunkId}`,
  ...[other, ntc, ncell, smart].map((operator) => `${operator} over ${third.trunkId}`),
]

test('a route over three dialers whose trunks name operators: each number goes over a trunk that may carry it, whoever’s dialer that is', async () => {
  const places = await threeDialers()
  const { fixtures, ofNtc, ofNcell, third } = places
  const all = [...answeringOf(984, 150), ...answeringOf(980, 150), ...answeringOf(972, 30), ...answeringOf(961, 30)]
  const id = await campaign(fixtures, all)
  await at.status(id, 'complete')
  const made = await ways(id)
  expect(Object.keys(made).filter((way) => !allowed(places).includes(way))).toEqual([])
  expect(made[`${ntc} over ${ofNtc.trunkId}`]).toBeGreaterThan(30)
  expect(made[`${ncell} over ${ofNcell.trunkId}`]).toBeGreaterThan(30)
  expect(made).toMatchObject({ [`${other} over ${third.trunkId}`]: 30, [`${smart} over ${third.trunkId}`]: 30 })
  expect(await counts(at, id)).toMatchObject({ answered: 360, done: 360 })
  const dialledCalls = at.db.selectFrom('attempt').where('campaign_id', '=', id).where('disposition', '<>', 'CANCEL')
  expect(await dialledCalls.select('id').execute(), 'but those given back undialled').toHaveLength(360)
  expect(await was(id, 'onHold')).toBe(false)
  await expectSoundBooks(at)
})

test(
  'when the dialer that has one operator’s trunk alone is lost, the others’ numbers are called and each operator says why it waits; the campaign is on hold when no others are left',
  exhaustive,
  async () => {
    const places = await threeDialers({ third: [other, smart] })
    const { fixtures, ofNtc, ofNcell } = places
    const id = await campaign(fixtures, [...answeringOf(984, 250), ...answeringOf(980, 250)])
    await vi.waitFor(
      async () => expect((await ways(id))[`${ncell} over ${ofNcell.trunkId}`]).toBeGreaterThan(10),
      polling,
    )
    lose(ofNcell.dialerId)
    await vi.waitFor(
      async () => expect(await reasonOfStream(id, ncell)).toMatch(/^dialer .+ does not answer: /),
      polling,
    )
    expect(await was(id, 'onHold')).toBe(false)
    await at.status(id, 'onHold')
    await vi.waitFor(
      async () => expect(await ways(id)).toMatchObject({ [`${ntc} over ${ofNtc.trunkId}`]: 250 }),
      polling,
    )
    expect((await row(id)).reason).toMatch(/^dialer .+ does not answer: /)
    comeBack(ofNcell.dialerId)
    await at.status(id, 'complete')
    expect(Object.keys(await ways(id)).filter((way) => !allowed(places).includes(way))).toEqual([])
    expect(await counts(at, id)).toMatchObject({ fresh: 0, waiting: 0, in_call: 0, done: 500 })
    await expectSoundBooks(at)
  },
)

test(
  'when the dialer that leads is lost, the numbers of other operators go on over the other dialers',
  exhaustive,
  async () => {
    const places = await threeDialers({ third: [other, smart] })
    const { fixtures, ofNtc, ofNcell, third } = places
    const id = await campaign(fixtures, [
      ...answeringOf(984, 300, 500),
      ...answeringOf(980, 300, 500),
      ...answeringOf(972, 60, 500),
    ])
    await vi.waitFor(async () => expect((await ways(id))[`${ntc} over ${ofNtc.trunkId}`]).toBeGreaterThan(10), polling)
    lose(ofNtc.dialerId)
    await vi.waitFor(
      async () => expect((await row(id)).reason).toMatch(/^calls go over dialers? .+; dialer .+ does not answer/),
      polling,
    )
    const gone = { [`${ncell} over ${ofNcell.trunkId}`]: 300, [`${other} over ${third.trunkId}`]: 60 }
    await vi.waitFor(async () => expect(await ways(id)).toMatchObject(gone), { ...polling, timeout: 30_000 })
    await at.status(id, 'onHold')
    comeBack(ofNtc.dialerId)
    await at.status(id, 'complete')
    expect(Object.keys(await ways(id)).filter((way) => !allowed(places).includes(way))).toEqual([])
    expect(await counts(at, id)).toMatchObject({ fresh: 0, waiting: 0, in_call: 0, done: 660 })
    await expectSoundBooks(at)
  },
)

test('when no operator has a trunk that works, the reason names each, and whichever trunk works first is tried and called over', async () => {
  const { fixtures, ofNtc, ofNcell } = await threeDialers({ third: [other, smart] })
  for (const place of [ofNtc, ofNcell]) await setFault(at, place.trunkId, 'unreachable')
  const id = await campaign(fixtures, [...answeringOf(984, 20, 900), ...answeringOf(980, 20, 900)])
  await at.status(id, 'onHold')
  const says = /^numbers of Nepal Telecom: trunk .+ is on hold.+; numbers of Ncell: trunk .+ is on hold/
  await vi.waitFor(async () => expect((await row(id)).reason).toMatch(says), polling)
  await setFault(at, ofNcell.trunkId, null) // a trunk of a dialer that does not lead
  await vi.waitFor(async () => expect(await ways(id)).toEqual({ [`${ncell} over ${ofNcell.trunkId}`]: 20 }), polling)
  await setFault(at, ofNtc.trunkId, null)
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 40, done: 40 })
  await expectSoundBooks(at)
})

test(
  'a trunk on hold is tried while the campaign goes on over another dialer, and carries its operator’s numbers again',
  exhaustive,
  async () => {
    const { fixtures, ofNtc, ofNcell } = await threeDialers({ third: [other, smart] })
    await setFault(at, ofNtc.trunkId, 'unreachable')
    const id = await campaign(fixtures, [...answeringOf(984, 30, 1200), ...answeringOf(980, 600, 1200)], {
      channels: 10,
    })
    await vi.waitFor(async () => expect(await reasonOfStream(id, ntc)).toContain('is on hold'), polling)
    await setFault(at, ofNtc.trunkId, null)
    await vi.waitFor(async () => expect((await ways(id))[`${ntc} over ${ofNtc.trunkId}`]).toBe(30), polling)
    expect((await ways(id))[`${ncell} over ${ofNcell.trunkId}`] ?? 0).toBeLessThan(600)
    expect(await was(id, 'onHold')).toBe(false)
    await at.status(id, 'complete')
    await expectSoundBooks(at)
  },
)

test('a contract of all trunks of such a route: each number goes over its operator’s trunk, and together never more calls, at once and in a second, than the contract has', async () => {
  const places = await threeDialers({ third: [other, smart] })
  const { fixtures, ofNtc, ofNcell, third } = places
  const trunkIds = [ofNtc, ofNcell, third].map(({ trunkId }) => trunkId)
  await newContract(at, { trunkIds, channels: 9, cps: 24 })
  const all = [...answeringOf(984, 70, 2000), ...answeringOf(980, 70, 2000), ...answeringOf(972, 20, 2000)]
  const id = await campaign(fixtures, all)
  await at.status(id, 'complete')
  expect(await ways(id)).toEqual({
    [`${ntc} over ${ofNtc.trunkId}`]: 70,
    [`${ncell} over ${ofNcell.trunkId}`]: 70,
    [`${other} over ${third.trunkId}`]: 20,
  })
  const calls = await callsOver(at, trunkIds, speed)
  expect(calls).toHaveLength(160)
  expect(mostAtOnce(calls)).toBeLessThanOrEqual(9)
  expect(mostAtOnce(calls)).toBeGreaterThan(5)
  expect(mostASecond(calls)).toBeLessThanOrEqual(24 + 2)
  await expectSoundBooks(at)
}, 120_000)

test(
  'when a dialer of such a route is lost, its part of the contract is for the others’ numbers; back, it calls its own',
  exhaustive,
  async () => {
    const places = await threeDialers({ third: [other, smart] })
    const { fixtures, ofNtc, ofNcell, third } = places
    const trunkIds = [ofNtc, ofNcell, third].map(({ trunkId }) => trunkId)
    await newContract(at, { trunkIds, channels: 8, cps: 40 })
    const id = await campaign(fixtures, [...answeringOf(984, 250, 3000), ...answeringOf(980, 250, 3000)])
    await vi.waitFor(
      async () => expect((await ways(id))[`${ncell} over ${ofNcell.trunkId}`]).toBeGreaterThan(10),
      polling,
    )
    lose(ofNcell.dialerId)
    const most = async () => {
      const { rows } = await at.pool.query<{ n: number }>(
        'select count(*)::int as n from attempt_open where trunk_id = $1',
        [ofNtc.trunkId],
      )
      return rows[0]?.n
    }
    await vi.waitFor(async () => expect(await most()).toBeGreaterThan(5), polling)
    comeBack(ofNcell.dialerId)
    await at.status(id, 'complete')
    expect(Object.keys(await ways(id)).filter((way) => !allowed(places).includes(way))).toEqual([])
    expect(await counts(at, id)).toMatchObject({ fresh: 0, waiting: 0, in_call: 0, done: 500 })
    expect(mostAtOnce(await callsOver(at, trunkIds, speed))).toBeLessThanOrEqual(8)
    await expectSoundBooks(at)
  },
)
