import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { polling } from '../../../testing/timeouts.ts'
import { answering, campaignsIn, setFault } from '../../testing/campaigns.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { losableDialers } from '../../testing/crash/losable-dialers.ts'
import { anotherDialer, newContract, newRoute } from '../../testing/routes.ts'

/** Of two dialers, ways or kinds of room one is in `npm test`; what-next.test.ts has where a row goes. */
const exhaustive = { tags: ['exhaustive'] }

const at = await losableDialers({ speed: 50, timeScale: 0.004, inRealTime: true })
const { lose, comeBack } = at
const { over, row, was } = campaignsIn(at)

type Other = { dialerId: number; trunkId: number }
/** A caller ID with a route over two dialers, both of which the engine has. */
async function twoDialers(of: { priorities?: [number, number]; channels?: number } = {}): Promise<[Fixtures, Other]> {
  const { priorities: [first, second] = [1, 1], channels = 60 } = of
  const fixtures = await newFixtures(at, { cps: 40, channels })
  const other = await anotherDialer(at, { channels })
  await newRoute(at, fixtures, [
    { trunkId: fixtures.line.trunkId, priority: first, weight: 1 },
    { trunkId: other.trunkId, priority: second, weight: 1 },
  ])
  await at.areSet([fixtures.line.trunkId, other.trunkId])
  return [fixtures, other]
}
/** Calls that a busy machine could not begin in time, at most a tenth: they rang nobody, and their rows were called again. */
async function givenBack(campaignId: number, rows: number): Promise<number> {
  const { rows: found } = await at.pool.query<{ n: number }>(
    `select count(*)::int as n from attempt where campaign_id = $1 and disposition = 'CANCEL' and alerted is not true`,
    [campaignId],
  )
  const [{ n } = { n: 0 }] = found
  expect(n).toBeLessThanOrEqual(rows / 10)
  return n
}
const campaign = ({ user, line }: Fixtures, phones: number[], of: { channels?: number } = {}) =>
  newCampaign(at, { user, line, phones, status: 'ready', flow: at.flow(0), retries: 0, reservePaisa: 40, ...of })
test('a campaign calls over all dialers of its route at once, each row once; its page has one sum', async () => {
  const [fixtures, other] = await twoDialers()
  const id = await campaign(fixtures, answering(400, 9779840000000))
  await at.status(id, 'complete')
  const { [fixtures.line.trunkId]: here = 0, [other.trunkId]: there = 0 } = await over(id)
  expect([here + there, here > 50, there > 50]).toEqual([400, true, true])
  expect(await counts(at, id)).toMatchObject({ answered: 400, done: 400, attempts: 400 + (await givenBack(id, 400)) })
  const shown = await at.db
    .selectFrom('campaign_progress')
    .select(['answered', 'done', 'in_call'])
    .where('campaign_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(shown).toEqual({ answered: 400, done: 400, in_call: 0 })
  await expectSoundBooks(at)
})

test('together they have no more calls than the caller ID and the campaign have channels', async () => {
  const [fixtures] = await twoDialers()
  await at.db.updateTable('cli').set({ channels: 9 }).where('id', '=', fixtures.line.cliId).execute()
  const ids = [
    await campaign(fixtures, answering(60, 9779841000000), { channels: 6 }),
    await campaign(fixtures, answering(60, 9779842000000)),
  ]
  const most = { both: 0, first: 0 }
  for (let done = false; !done;) {
    const { rows } = await at.pool.query<{ both: number; first: number }>(
      'select count(*)::int as both, count(*) filter (where campaign_id = $1)::int as first from attempt_open where campaign_id = any ($2::int[])',
      [ids[0], ids],
    )
    most.both = Math.max(most.both, rows[0]?.both ?? 0)
    most.first = Math.max(most.first, rows[0]?.first ?? 0)
    done = (await Promise.all(ids.map(row))).every(({ status }) => status === 'complete')
  }
  expect(most.both).toBeGreaterThan(4)
  expect(most.both).toBeLessThanOrEqual(9)
  expect(most.first).toBeLessThanOrEqual(6)
  await expectSoundBooks(at)
})

const goesOn =
  'when the dialer that %s is lost, the rows go on over the other one, the campaign is not on hold, and its page says so'
async function expectGoesOn(which: 'leads' | 'helps'): Promise<void> {
  const [fixtures, other] = await twoDialers()
  const id = await campaign(fixtures, answering(600, which === 'leads' ? 9779843000000 : 9779844000000))
  await vi.waitFor(async () => expect((await counts(at, id))['answered']).toBeGreaterThan(40), polling)
  const [lost, left] =
    which === 'leads' ? [fixtures.line.dialerId, other.trunkId] : [other.dialerId, fixtures.line.trunkId]
  lose(lost)
  const before = (await over(id))[left] ?? 0
  const says = /^calls go over dialer .+; dialer .+ does not answer: /
  await vi.waitFor(async () => expect((await row(id)).reason).toMatch(says), polling)
  await vi.waitFor(async () => expect((await over(id))[left]).toBeGreaterThan(before + 100), {
    ...polling,
    timeout: 30_000,
  })
  expect(await was(id, 'onHold')).toBe(false)
  comeBack(lost)
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ fresh: 0, waiting: 0, in_call: 0, done: 600 })
  await expectSoundBooks(at)
}

test.each(['leads'] as const)(goesOn, expectGoesOn)

test.each(['helps'] as const)(goesOn, exhaustive, expectGoesOn)

test(
  'it is on hold when no dialer carries its calls, and goes on over whichever comes back first',
  exhaustive,
  async () => {
    const [fixtures, other] = await twoDialers()
    const id = await campaign(fixtures, answering(300, 9779845000000))
    await vi.waitFor(async () => expect((await counts(at, id))['answered']).toBeGreaterThan(10), polling)
    lose(fixtures.line.dialerId)
    lose(other.dialerId)
    await at.status(id, 'onHold')
    const says = /^on dialer .+: dialer .+ does not answer: .+; on dialer .+: dialer .+ does not answer: /
    await vi.waitFor(async () => expect((await row(id)).reason).toMatch(says), polling)
    expect(await row(id)).toMatchObject({ hold_cause: 'dialer' })
    comeBack(other.dialerId)
    await at.status(id, 'running')
    await vi.waitFor(async () => expect((await row(id)).reason).toMatch(/^calls go over dialer/), polling)
    comeBack(fixtures.line.dialerId)
    await at.status(id, 'complete')
    expect(await counts(at, id)).toMatchObject({ done: 300 })
    await expectSoundBooks(at)
  },
)

test('a dialer of a later order carries calls only where those before it have no room', exhaustive, async () => {
  const [fixtures, other] = await twoDialers({ priorities: [1, 2] })
  const id = await campaign(fixtures, answering(120, 9779846000000), { channels: 20 })
  await at.status(id, 'complete')
  const { [fixtures.line.trunkId]: first = 0, [other.trunkId]: second = 0 } = await over(id)
  expect(first + second).toBe(120)
  expect(second).toBeLessThan(20) // until the first said that it carries calls
  await expectSoundBooks(at)
})

test(
  'a call that no trunk of its dialer carries goes on over another dialer at once, as a new attempt of its row',
  exhaustive,
  async () => {
    const [fixtures, other] = await twoDialers({ priorities: [1, 2] })
    await setFault(at, fixtures.line.trunkId, 'refusing')
    const began = performance.now()
    const id = await campaign(fixtures, answering(40, 9779847000000))
    await at.status(id, 'complete')
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(await over(id)).toEqual({ [other.trunkId]: 40 })
    expect(Object.keys(await over(id, 'CONGESTION'))).toEqual([String(fixtures.line.trunkId)])
    expect(await counts(at, id)).toMatchObject({ answered: 40, done: 40 })
    await expectSoundBooks(at)
  },
)

test(
  'so does the only row of a campaign, over a trunk of a later order, although the first has room and is not on hold',
  exhaustive,
  async () => {
    const [fixtures, other] = await twoDialers({ priorities: [1, 2] })
    await setFault(at, fixtures.line.trunkId, 'refusing')
    const id = await campaign(fixtures, answering(1, 9779861000000))
    await at.status(id, 'complete')
    expect(await over(id, 'CONGESTION')).toEqual({ [fixtures.line.trunkId]: 1 })
    expect(await over(id)).toEqual({ [other.trunkId]: 1 })
    await expectSoundBooks(at)
  },
)

test('while single calls fail over the first trunk, the later one of another dialer takes those rows alone', async () => {
  const [fixtures, other] = await twoDialers({ priorities: [1, 2] })
  const refused = Array.from({ length: 8 }, (_, i) => 9779862000006 + 1000 * i) // 503 of whichever trunk
  const phones = answering(200, 9779862000000)
  const id = await campaign(fixtures, [...phones.slice(0, 100), ...refused, ...phones.slice(100)])
  await vi.waitFor(async () => expect((await counts(at, id))['answered']).toBe(200), { ...polling, timeout: 30_000 })
  expect((await over(id))[other.trunkId] ?? 0).toBeLessThan(20)
  expect((await over(id, 'CONGESTION'))[other.trunkId] ?? 0).toBeGreaterThan(3)
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', id).execute()
  await at.status(id, 'cancelled')
  await expectSoundBooks(at)
})

test('it goes on over a third dialer at once where the second does not carry it either', exhaustive, async () => {
  const [fixtures, second] = await twoDialers({ priorities: [1, 2] })
  const third = await anotherDialer(at)
  const { route_id } = await at.db
    .selectFrom('cli')
    .select('route_id')
    .where('id', '=', fixtures.line.cliId)
    .executeTakeFirstOrThrow()
  await at.db
    .insertInto('call_route_step')
    .values({ route_id: route_id ?? 0, trunk_id: third.trunkId, priority: 3, weight: 1 })
    .execute()
  await at.areSet([third.trunkId])
  for (const trunkId of [fixtures.line.trunkId, second.trunkId]) await setFault(at, trunkId, 'refusing')
  const id = await campaign(fixtures, answering(1, 9779859000000))
  await at.status(id, 'complete')
  expect(await over(id)).toEqual({ [third.trunkId]: 1 })
  expect(await counts(at, id)).toMatchObject({ answered: 1, done: 1 })
  await expectSoundBooks(at)
})

const keepsForAgents =
  'what a %s keeps for agents is no room for calls: those go over the later trunk, of another dialer'
async function expectKept(which: 'trunk' | 'contract'): Promise<void> {
  const [fixtures, other] = await twoDialers({ priorities: [1, 2] })
  const { user, line } = fixtures
  if (which === 'contract') await newContract(at, { trunkIds: [line.trunkId], channels: 4, cps: 40 })
  else await at.db.updateTable('trunk').set({ channels: 4 }).where('id', '=', line.trunkId).execute()
  const agents = (['1', '2', '3'] as const).map((key) => ({ key, number: `+977980111${key}437` }))
  const phones = answering(120, which === 'contract' ? 9779856000000 : 9779857000000)
  const flow = at.flow(2, { agents })
  const id = await newCampaign(at, { user, line, phones, status: 'ready', flow, retries: 0, reservePaisa: 400 })
  await at.status(id, 'complete')
  const { [line.trunkId]: here = 0, [other.trunkId]: there = 0 } = await over(id)
  expect([here + there, here > 5, there > 40]).toEqual([120, true, true])
  await expectSoundBooks(at)
}

test.each(['contract'] as const)(keepsForAgents, expectKept)

test.each(['trunk'] as const)(keepsForAgents, exhaustive, expectKept)

test('a campaign that is stopped ends its calls on all dialers', async () => {
  const [fixtures] = await twoDialers()
  const talks = Array.from({ length: 40 }, (_, i) => 9779848000099 + 100 * i)
  const { user, line } = fixtures
  const id = await newCampaign(at, {
    user,
    line,
    phones: talks,
    status: 'ready',
    flow: at.flow(1, { menuWaitSeconds: 10 }),
    retries: 0,
    reservePaisa: 4000,
  })
  await vi.waitFor(async () => expect((await counts(at, id))['in_call']).toBeGreaterThan(20), polling)
  await at.db.updateTable('campaign').set({ status: 'cancelling', end_now: true }).where('id', '=', id).execute()
  await at.status(id, 'cancelled')
  expect(await counts(at, id)).toMatchObject({ in_call: 0 })
  await expectSoundBooks(at)
})

test('a dialer that was taken out of the route ends its calls when the campaign is stopped', exhaustive, async () => {
  const [fixtures, other] = await twoDialers()
  const { user, line } = fixtures
  const phones = Array.from({ length: 400 }, (_, i) => 9779852000099 + 100 * i)
  const flow = at.flow(1, { menuWaitSeconds: 1000 })
  const id = await newCampaign(at, { user, line, phones, status: 'ready', flow, retries: 0, reservePaisa: 4000 })
  const upThere = async (): Promise<number> =>
    Number(
      (await at.pool.query('select from attempt_open where campaign_id = $1 and dialer_id = $2', [id, other.dialerId]))
        .rowCount,
    )
  await vi.waitFor(async () => expect(await upThere()).toBeGreaterThan(5), polling)
  await at.db.deleteFrom('call_route_step').where('trunk_id', '=', other.trunkId).execute()
  await sleep(600) // the engine has seen it
  await at.db.updateTable('campaign').set({ status: 'cancelling', end_now: true }).where('id', '=', id).execute()
  const stoppedAt = performance.now()
  await at.status(id, 'cancelled')
  expect(performance.now() - stoppedAt).toBeLessThan(5000)
  const { rows } = await at.pool.query<{ trunk_id: number }>(
    `select distinct trunk_id from attempt where campaign_id = $1 and trunk_id = $2`,
    [id, other.trunkId],
  )
  expect(rows).toHaveLength(1)
  await expectSoundBooks(at)
})

test('a campaign that is retried calls over all dialers once more', exhaustive, async () => {
  const [fixtures] = await twoDialers()
  const ringing = Array.from({ length: 60 }, (_, i) => 9779849000002 + 100 * i)
  const id = await campaign(fixtures, [...ringing, ...answering(60, 9779849500000)])
  await at.status(id, 'complete')
  const before = await counts(at, id)
  await at.db
    .updateTable('campaign')
    .set({ status: 'running', is_retry: true, retry_requested: true })
    .where('id', '=', id)
    .execute()
  await at.status(id, 'complete')
  const after = await counts(at, id)
  expect(after['attempts']).toBe((before['attempts'] ?? 0) + 120 - (before['answered'] ?? 0))
  expect(Object.keys(await over(id, 'NO ANSWER'))).toHaveLength(2)
  await expectSoundBooks(at)
})
