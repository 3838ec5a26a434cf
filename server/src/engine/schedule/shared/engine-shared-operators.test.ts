import { expect, test, vi } from 'vitest'
import { polling } from '../../testing/timeouts.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { losing } from '../../testing/losing.ts'
import { anotherDialer, newContract, newRoute } from '../../testing/routes.ts'
import { callsOver, mostASecond, mostAtOnce } from '../../testing/traffic.ts'
import { trunkName } from '../../trunks/state/trunk-data.ts'

const speed = 50
const at = await losing({ speed, timeScale: 0.004 })
const { lose, comeBack } = at

const [other, ntc, ncell, smart] = [0, 1, 2, 3]
/** All of them are answered. */
const numbersOf = (prefix: number, n: number, from = 0) =>
  Array.from({ length: n }, (_, i) => 9770000000000 + prefix * 1e7 + 100 * (from + i) + 46)

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

/** How many calls were made, by operator and trunk: '1 over 7'. */
const over = async (campaignId: number, disposition = 'ANSWER'): Promise<Record<string, number>> => {
  const { rows } = await at.pool.query<{ way: string; n: number }>(
    `select operator || ' over ' || trunk_id as way, count(*)::int as n from attempt where campaign_id = $1 and disposition = $2::disposition group by 1`,
    [campaignId, disposition],
  )
  return Object.fromEntries(rows.map(({ way, n }) => [way, n]))
}
const row = (campaignId: number) =>
  at.db
    .selectFrom('campaign')
    .select(['status', 'reason', 'hold_cause'])
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow()
const reasonOf = async (campaignId: number, stream: number) =>
  (
    await at.db
      .selectFrom('campaign_stream')
      .select('reason')
      .where('campaign_id', '=', campaignId)
      .where('stream', '=', stream)
      .executeTakeFirstOrThrow()
  ).reason
const wasOnHold = async (campaignId: number): Promise<boolean> =>
  (await at.pool.query(`select from campaign_event where campaign_id = $1 and to_status = 'onHold'`, [campaignId])).rows
    .length > 0
async function faultOf({ dialerId, trunkId }: Place, fault: 'unreachable' | null): Promise<void> {
  const dialer = await at.db
    .selectFrom('dialer')
    .select(['host', 'port'])
    .where('id', '=', dialerId)
    .executeTakeFirstOrThrow()
  await at.simulator.control(dialer).setTrunkFault(trunkName(trunkId), fault)
}
const allowed = ({ ofNtc, ofNcell, third }: { ofNtc: Place; ofNcell: Place; third: Place }) => [
  `${ntc} over ${ofNtc.trunkId}`,
  `${ncell} over ${ofNcell.trunkId}`,
  ...[other, ntc, ncell, smart].map((operator) => `${operator} over ${third.trunkId}`),
]

test('a route over three dialers whose trunks name operators: each number goes over a trunk that may carry it, whoever’s dialer that is', async () => {
  const places = await threeDialers()
  const { fixtures, ofNtc, ofNcell, third } = places
  const all = [...numbersOf(984, 150), ...numbersOf(980, 150), ...numbersOf(972, 30), ...numbersOf(961, 30)]
  const id = await campaign(fixtures, all)
  await at.status(id, 'complete')
  const made = await over(id)
  expect(Object.keys(made).filter((way) => !allowed(places).includes(way))).toEqual([])
  expect(made[`${ntc} over ${ofNtc.trunkId}`]).toBeGreaterThan(30)
  expect(made[`${ncell} over ${ofNcell.trunkId}`]).toBeGreaterThan(30)
  expect(made).toMatchObject({ [`${other} over ${third.trunkId}`]: 30, [`${smart} over ${third.trunkId}`]: 30 })
  expect(await counts(at, id)).toMatchObject({ answered: 360, done: 360, attempts: 360 })
  expect(await wasOnHold(id)).toBe(false)
  await expectSoundBooks(at)
})

test('when the dialer that has one operator’s trunk alone is lost, the others’ numbers are called and each operator says why it waits; the campaign is on hold when no others are left', async () => {
  const places = await threeDialers({ third: [other, smart] })
  const { fixtures, ofNtc, ofNcell } = places
  const id = await campaign(fixtures, [...numbersOf(984, 250), ...numbersOf(980, 250)])
  await vi.waitFor(
    async () => expect((await over(id))[`${ncell} over ${ofNcell.trunkId}`]).toBeGreaterThan(10),
    polling,
  )
  lose(ofNcell.dialerId)
  await vi.waitFor(async () => expect(await reasonOf(id, ncell)).toMatch(/^dialer .+ does not answer: /), polling)
  expect(await wasOnHold(id)).toBe(false)
  await at.status(id, 'onHold')
  await vi.waitFor(async () => expect(await over(id)).toMatchObject({ [`${ntc} over ${ofNtc.trunkId}`]: 250 }), polling)
  expect((await row(id)).reason).toMatch(/^dialer .+ does not answer: /)
  comeBack(ofNcell.dialerId)
  await at.status(id, 'complete')
  expect(Object.keys(await over(id)).filter((way) => !allowed(places).includes(way))).toEqual([])
  expect(await counts(at, id)).toMatchObject({ fresh: 0, waiting: 0, in_call: 0, done: 500 })
  await expectSoundBooks(at)
})

test('when the dialer that leads is lost, the numbers of other operators go on over the other dialers', async () => {
  const places = await threeDialers({ third: [other, smart] })
  const { fixtures, ofNtc, ofNcell, third } = places
  const id = await campaign(fixtures, [
    ...numbersOf(984, 300, 500),
    ...numbersOf(980, 300, 500),
    ...numbersOf(972, 60, 500),
  ])
  await vi.waitFor(async () => expect((await over(id))[`${ntc} over ${ofNtc.trunkId}`]).toBeGreaterThan(10), polling)
  lose(ofNtc.dialerId)
  await vi.waitFor(
    async () => expect((await row(id)).reason).toMatch(/^calls go over dialers? .+; dialer .+ does not answer/),
    polling,
  )
  const gone = { [`${ncell} over ${ofNcell.trunkId}`]: 300, [`${other} over ${third.trunkId}`]: 60 }
  await vi.waitFor(async () => expect(await over(id)).toMatchObject(gone), { ...polling, timeout: 30_000 })
  await at.status(id, 'onHold')
  comeBack(ofNtc.dialerId)
  await at.status(id, 'complete')
  expect(Object.keys(await over(id)).filter((way) => !allowed(places).includes(way))).toEqual([])
  expect(await counts(at, id)).toMatchObject({ fresh: 0, waiting: 0, in_call: 0, done: 660 })
  await expectSoundBooks(at)
})

test('when no operator has a trunk that works, the reason names each, and whichever trunk works first is tried and called over', async () => {
  const { fixtures, ofNtc, ofNcell } = await threeDialers({ third: [other, smart] })
  for (const place of [ofNtc, ofNcell]) await faultOf(place, 'unreachable')
  const id = await campaign(fixtures, [...numbersOf(984, 20, 900), ...numbersOf(980, 20, 900)])
  await at.status(id, 'onHold')
  const says = /^numbers of Nepal Telecom: trunk .+ is on hold.+; numbers of Ncell: trunk .+ is on hold/
  await vi.waitFor(async () => expect((await row(id)).reason).toMatch(says), polling)
  await faultOf(ofNcell, null) // a trunk of a dialer that does not lead
  await vi.waitFor(async () => expect(await over(id)).toEqual({ [`${ncell} over ${ofNcell.trunkId}`]: 20 }), polling)
  await faultOf(ofNtc, null)
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 40, done: 40 })
  await expectSoundBooks(at)
})

test('a trunk on hold is tried while the campaign goes on over another dialer, and carries its operator’s numbers again', async () => {
  const { fixtures, ofNtc, ofNcell } = await threeDialers({ third: [other, smart] })
  await faultOf(ofNtc, 'unreachable')
  const id = await campaign(fixtures, [...numbersOf(984, 30, 1200), ...numbersOf(980, 600, 1200)], { channels: 10 })
  await vi.waitFor(async () => expect(await reasonOf(id, ntc)).toContain('is on hold'), polling)
  await faultOf(ofNtc, null)
  await vi.waitFor(async () => expect((await over(id))[`${ntc} over ${ofNtc.trunkId}`]).toBe(30), polling)
  expect((await over(id))[`${ncell} over ${ofNcell.trunkId}`] ?? 0).toBeLessThan(600)
  expect(await wasOnHold(id)).toBe(false)
  await at.status(id, 'complete')
  await expectSoundBooks(at)
})

test('a contract of all trunks of such a route: each number goes over its operator’s trunk, and together never more calls, at once and in a second, than the contract has', async () => {
  const places = await threeDialers({ third: [other, smart] })
  const { fixtures, ofNtc, ofNcell, third } = places
  const trunkIds = [ofNtc, ofNcell, third].map(({ trunkId }) => trunkId)
  await newContract(at, { trunkIds, channels: 9, cps: 24 })
  const all = [...numbersOf(984, 70, 2000), ...numbersOf(980, 70, 2000), ...numbersOf(972, 20, 2000)]
  const id = await campaign(fixtures, all)
  await at.status(id, 'complete')
  expect(await over(id)).toEqual({
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

test('when a dialer of such a route is lost, its part of the contract is for the others’ numbers; back, it calls its own', async () => {
  const places = await threeDialers({ third: [other, smart] })
  const { fixtures, ofNtc, ofNcell, third } = places
  const trunkIds = [ofNtc, ofNcell, third].map(({ trunkId }) => trunkId)
  await newContract(at, { trunkIds, channels: 8, cps: 40 })
  const id = await campaign(fixtures, [...numbersOf(984, 250, 3000), ...numbersOf(980, 250, 3000)])
  await vi.waitFor(
    async () => expect((await over(id))[`${ncell} over ${ofNcell.trunkId}`]).toBeGreaterThan(10),
    polling,
  )
  lose(ofNcell.dialerId)
  const most = async () => {
    const { rows } = await at.pool.query<{ n: number }>('select count(*)::int as n from attempt_open where trunk_id = $1', [
      ofNtc.trunkId,
    ])
    return rows[0]?.n
  }
  await vi.waitFor(async () => expect(await most()).toBeGreaterThan(5), polling)
  comeBack(ofNcell.dialerId)
  await at.status(id, 'complete')
  expect(Object.keys(await over(id)).filter((way) => !allowed(places).includes(way))).toEqual([])
  expect(await counts(at, id)).toMatchObject({ fresh: 0, waiting: 0, in_call: 0, done: 500 })
  expect(mostAtOnce(await callsOver(at, trunkIds, speed))).toBeLessThanOrEqual(8)
  await expectSoundBooks(at)
}, 120_000)
