import { expect, test } from 'vitest'
import type { Submitted } from '../../drivers/sms/driver.ts'
import { numbersEnding, phones } from '../../voice/testing/fixtures.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { carriers, partOf, stepsOf } from '../model/routing.ts'
import { simulated, smsSending } from '../testing/engine.ts'
import {
  expectSoundBooks,
  newGateway,
  newRoute,
  newSmsCampaign,
  newSmsFixtures,
  smsCounts,
} from '../testing/fixtures.ts'
import { endTest } from '../model/snapshot.sql.ts'

const at = await smsSending({ speed: 200, timeScale: 0.005 })
/** What some gateways answer instead. */
const answers = new Map<number, Submitted>()
const submits = new Map<number, number>()
at.start({
  drivers: {
    simulator: simulated(200, (gateway, { id }) => ({
      get state() {
        return gateway.state
      },
      close: () => gateway.close(),
      submit(message) {
        submits.set(id, (submits.get(id) ?? 0) + 1)
        const instead = answers.get(id)
        return instead ? Promise.resolve(instead) : gateway.submit(message)
      },
    })),
  },
})
const fixtures = await newSmsFixtures(at, { leased: false })
const { user, gatewayId: first } = fixtures
const second = await newGateway(at, { routed: false })
await at.db
  .insertInto('sms_route_step')
  .columns(['route_id', 'gateway_id', 'priority', 'weight'])
  .expression((e) =>
    e.selectFrom('sms_route').select((s) => ['id', s.val(second).as('g'), s.val(2).as('p'), s.val(1).as('w')]),
  )
  .execute()

const state = (gatewayId: number) =>
  at.db.selectFrom('sms_gateway_state').selectAll().where('gateway_id', '=', gatewayId).executeTakeFirst()
const through = async (campaignId: number): Promise<Record<number, number>> => {
  const { rows } = await at.pool.query(
    'select gateway_id, count(*)::int n from sms_sent where campaign_id = $1 group by 1',
    [campaignId],
  )
  return Object.fromEntries(rows.map(({ gateway_id, n }) => [gateway_id, n]))
}
const fault: Submitted = { kind: 'refused', whose: 'gateway', code: '8', reason: 'system error', ids: [] }
const good = (n: number) => numbersEnding(['00'], n)

test('a gateway that faults is held after ten, nobody is lost or paid for, and the next step of the route takes over', async () => {
  await expect.poll(async () => (await state(second))?.bound).toBe(true)
  answers.set(first, fault)
  const campaignId = await newSmsCampaign(at, { user, phones: good(40) })
  await at.status(campaignId, 'complete')
  await expect.poll(() => smsCounts(at, campaignId)).toMatchObject({ delivered: 40, segments: 40 })
  expect(await through(campaignId)).toEqual({ [second]: 40 })
  expect((await state(first))?.held_reason).toMatch(/^1\d faults in a row: system error$/)
  await expectSoundBooks(at)
})

test('a row that gateways were at fault for again and again fails alone, and holds no gateway', async () => {
  answers.delete(first)
  const campaignId = await newSmsCampaign(at, { user, phones: numbersEnding(['13', '00', '10', '20'], 6) })
  await at.status(campaignId, 'complete')
  await expect.poll(() => smsCounts(at, campaignId)).toMatchObject({ delivered: 18, failed: 6, segments: 18 })
  const { rows } = await at.pool.query(
    'select distinct faults from sms_message where campaign_id = $1 and state = $2',
    [campaignId, 'failed'],
  )
  expect(rows).toEqual([{ faults: 6 }])
  await expectSoundBooks(at)
})

test('it is tried with one message after a while, and goes on when that is taken', async () => {
  answers.delete(first)
  const before = submits.get(first) ?? 0
  const campaignId = await newSmsCampaign(at, { user, phones: good(30) })
  await at.status(campaignId, 'complete')
  const later: number[] = []
  while ((await state(first))?.held_since) {
    later.push(await newSmsCampaign(at, { user, phones: good(1) }))
    await at.status(later.at(-1) ?? 0, 'complete')
  }
  expect(submits.get(first)).toBeGreaterThan(before)
  await expectSoundBooks(at)
})

test('what a held gateway refuses to a probe counts for the gateway alone: the message waits until it works again', async () => {
  const lone = await newGateway(at, { routed: false })
  await at.db
    .updateTable('sms_route')
    .set({ operators: [1, 2, 3] })
    .execute()
  await newRoute(at, [{ gatewayId: lone }], [0])
  answers.set(lone, fault)
  const others = await newSmsCampaign(at, { user, phones: good(12), operatorOf: () => 0 })
  await expect.poll(async () => (await state(lone))?.held_reason).toMatch(/^1\d faults in a row/)
  await at.db.updateTable('sms_campaign').set({ status: 'cancelling' }).where('id', '=', others).execute()
  await at.status(others, 'cancelled')
  const campaignId = await newSmsCampaign(at, { user, phones: good(1), operatorOf: () => 0 })
  await at.db.updateTable('sms_message').set({ faults: 5 }).where('campaign_id', '=', campaignId).execute()
  const before = submits.get(lone) ?? 0
  await expect.poll(() => (submits.get(lone) ?? 0) - before, { timeout: 15_000 }).toBeGreaterThan(1)
  answers.delete(lone)
  await at.status(campaignId, 'complete')
  await expect.poll(() => smsCounts(at, campaignId)).toMatchObject({ delivered: 1, segments: 1 })
  await expectSoundBooks(at)
})

test('when no gateway of the route works the campaign waits and says which and why', async () => {
  const [third] = [await newGateway(at, { routed: false, fault: 'unreachable' })]
  await newRoute(at, [{ gatewayId: third }], [3])
  await at.db
    .updateTable('sms_route')
    .set({ operators: [0, 1, 2] })
    .where('id', '<', 2)
    .execute()
  const campaignId = await newSmsCampaign(at, { user, phones: good(2), operatorOf: () => 3 })
  const reason = async () =>
    (await at.db.selectFrom('sms_campaign').select('reason').where('id', '=', campaignId).executeTakeFirstOrThrow())
      .reason
  await expect.poll(reason).toMatch(/^gateway Gateway \d+ cannot send: it cannot be reached/)
  expect(await smsCounts(at, campaignId)).toEqual({ fresh: 2 })
  await at.db.updateTable('sms_gateway').set({ enabled: false }).where('id', '=', third).execute()
  await expect.poll(reason).toMatch(/^gateway Gateway \d+ is disabled$/)
  await at.db.deleteFrom('sms_route_step').where('gateway_id', '=', third).execute()
  await expect.poll(reason).toBe('no gateway takes messages to Smart Telecom')
  await at.db.updateTable('sms_campaign').set({ status: 'cancelling' }).where('id', '=', campaignId).execute()
})

test('new settings open the connection anew, and nothing is lost by it', async () => {
  const campaignId = await newSmsCampaign(at, { user, phones: good(3000) })
  await expect.poll(async () => (await smsCounts(at, campaignId))['in_flight'] ?? 0).toBeGreaterThan(0)
  const { rows } = await at.pool.query('select epoch from sms_lease where gateway_id = $1', [first])
  await at.pool.query('update sms_gateway set changed_at = now() where id = $1', [first])
  await at.status(campaignId, 'complete')
  expect(await smsCounts(at, campaignId)).toMatchObject({ accepted: 3000, segments: 3000 })
  const { rows: after } = await at.pool.query('select epoch from sms_lease where gateway_id = $1', [first])
  expect(after[0]?.epoch).toBeGreaterThan(rows[0]?.epoch)
  await expectSoundBooks(at)
})

test('customers take turns: a small campaign does not wait for a large one', async () => {
  const other = (await newSmsFixtures(at, { leased: false })).user
  await at.pool.query(`update sms_gateway set settings = settings || '{"tps": 100}', changed_at = now()`)
  const large = await newSmsCampaign(at, { user, phones: phones(1, 0, 9779849900000).concat(good(2000)) })
  await expect.poll(async () => (await smsCounts(at, large))['accepted'] ?? 0).toBeGreaterThan(0)
  const small = await newSmsCampaign(at, { user: other, phones: good(20) })
  await at.status(small, 'complete')
  expect((await smsCounts(at, large))['fresh']).toBeGreaterThan(1000)
  await at.db.updateTable('sms_campaign').set({ status: 'cancelling' }).where('id', '=', large).execute()
  await at.status(large, 'cancelled')
  await expectSoundBooks(at)
})

test('a ping and a test message of a gateway are done once, and their receipt arrives', async () => {
  const asked = { gateway_id: second, by_user_id: user.userId }
  const { id: ping } = await at.db
    .insertInto('sms_gateway_test')
    .values({ ...asked, kind: 'ping' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const message = { ...asked, kind: 'message' as const, phone: 9779841000000, sender: 'GHANTI', text: 'Namaste' }
  const { id } = await at.db.insertInto('sms_gateway_test').values(message).returning('id').executeTakeFirstOrThrow()
  const wrong = { ...message, phone: 9779841000001 }
  const { id: refused } = await at.db
    .insertInto('sms_gateway_test')
    .values(wrong)
    .returning('id')
    .executeTakeFirstOrThrow()
  const endOf = (testId: number) =>
    at.db.selectFrom('sms_gateway_test').select(['state', 'reason']).where('id', '=', testId).executeTakeFirstOrThrow()
  await expect.poll(() => endOf(ping)).toEqual({ state: 'delivered', reason: null })
  await expect.poll(() => endOf(id)).toEqual({ state: 'delivered', reason: null })
  const reason = 'the gateway refuses it: the number is not valid (0x0B)'
  await expect.poll(() => endOf(refused)).toEqual({ state: 'failed', reason })
})

test('the receipt of a test message that came before its answer was stored ends it', async () => {
  const taken = { gateway_id: second, by_user_id: user.userId, kind: 'message' as const, taken_at: new Date() }
  const message = { ...taken, phone: 9779841000000, sender: 'GHANTI', text: 'Namaste' }
  const { id } = await at.db.insertInto('sms_gateway_test').values(message).returning('id').executeTakeFirstOrThrow()
  const receipt = { gateway_id: second, id_key: 'early', state: 'failed' as const, reason: 'the number is off' }
  await at.db.insertInto('sms_receipt_early').values(receipt).execute()
  await endTest(at.pool, id, { state: 'submitted', reason: null, idKeys: ['early'] })
  const ended = at.db.selectFrom('sms_gateway_test').select(['state', 'reason', 'ended_at']).where('id', '=', id)
  const end = { state: 'failed', reason: 'the number is off', ended_at: expect.any(Date) }
  expect(await ended.executeTakeFirstOrThrow()).toEqual(end)
})

test('ten faults in a row open the circuit breaker, one good probe closes it, and each failed probe waits twice as long', () => {
  const circuitBreaker = new CircuitBreaker(1)
  for (let n = 0; n < 9; n++) circuitBreaker.fault('x', 0)
  circuitBreaker.good()
  for (let n = 0; n < 9; n++) circuitBreaker.fault('x', 0)
  expect(circuitBreaker.opened).toBeNull()
  circuitBreaker.fault('x', 0)
  expect([circuitBreaker.mayClaim(29_999), circuitBreaker.mayClaim(30_000)]).toEqual(['none', 'one'])
  circuitBreaker.probing()
  expect(circuitBreaker.mayClaim(30_000)).toBe('none')
  circuitBreaker.fault('x', 30_000)
  expect([circuitBreaker.mayClaim(89_999), circuitBreaker.mayClaim(90_000)]).toEqual(['none', 'one'])
  circuitBreaker.probing()
  circuitBreaker.good()
  expect([circuitBreaker.mayClaim(90_000), circuitBreaker.opened]).toEqual(['all', null])
})

test('a sender ID’s own route goes before that of all others; the lowest priority that works carries by weight and rate', () => {
  const step = (gateway_id: number, priority: number, weight: number) => ({ gateway_id, priority, weight })
  const routes = [
    { operators: [1, 2], sender: null, steps: [step(1, 1, 1)] },
    { operators: [2], sender: 'Bank', steps: [step(2, 2, 3), step(3, 2, 1), step(4, 3, 1)] },
  ]
  expect(stepsOf(routes, 1, 'BANK')).toEqual([step(1, 1, 1)])
  expect(stepsOf(routes, 3, 'BANK')).toBeNull()
  const steps = stepsOf(routes, 2, 'BANK') ?? []
  expect(carriers(steps, () => true)).toEqual([step(2, 2, 3), step(3, 2, 1)])
  expect(carriers(steps, (id) => id === 4)).toEqual([step(4, 3, 1)])
  const tps = (id: number): number => (id === 2 ? 30 : 100)
  expect(
    partOf(
      carriers(steps, () => true),
      2,
      tps,
    ),
  ).toEqual({ part: 0.75, perSecond: 30 })
  expect(
    partOf(
      carriers(steps, () => true),
      3,
      tps,
    ),
  ).toEqual({ part: 0.25, perSecond: 10 })
  expect(
    partOf(
      carriers(steps, () => true),
      4,
      tps,
    ),
  ).toBeNull()
})
