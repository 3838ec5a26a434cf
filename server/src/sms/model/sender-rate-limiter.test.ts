import { expect, test } from 'vitest'
import { numbersEnding } from '../../voice/testing/fixtures.ts'
import { SenderRateLimiter } from './sender-rate-limiter.ts'
import { simulated, smsSending } from '../testing/engine.ts'
import { newGateway, newRoute, newSmsCampaign, newSmsFixtures, smsCounts } from '../testing/fixtures.ts'

test('a sender ID gets its segments a second, in whatever case of letters, and what was too much is made up for', () => {
  const limiter = new SenderRateLimiter()
  expect(limiter.room('Himal', null, 0)).toBe(Infinity)
  expect(limiter.room('Himal', 10, 0)).toBe(5)
  limiter.took('HIMAL', 8)
  expect(limiter.room('himal', 10, 200)).toBe(0)
  expect(limiter.room('himal', 10, 500)).toBe(2)
  expect(limiter.room('Other', 10, 500)).toBe(5)
  expect(limiter.room('himal', 10, 60_000)).toBe(5) // no more accumulates
})

test('one segment a second is still one, though it is ahead for half a second', () => {
  const limiter = new SenderRateLimiter()
  expect(limiter.room('Himal', 1, 0)).toBe(1)
  limiter.took('Himal', 1)
  expect([500, 900, 1000].map((now) => limiter.room('Himal', 1, now))).toEqual([0, 0, 1])
})

test('messages of one sender ID leave at its rate through two gateways together, beside others that do not wait', async () => {
  const at = await smsSending({ speed: 200, timeScale: 0.005 })
  const fixtures = await newSmsFixtures(at, { users: 2, leased: false })
  const [slow, quick] = fixtures.users
  if (!slow || !quick) throw new Error('no users')
  await at.pool.query('delete from sms_route')
  const other = await newGateway(at, { routed: false })
  await newRoute(at, [{ gatewayId: fixtures.gatewayId }, { gatewayId: other }])
  await at.db
    .insertInto('sms_sender')
    .values({ account_id: slow.userId, name: 'Ghanti', status: 'approved', operators: [0, 1, 2, 3], tps: 20 })
    .execute()
  const sent: { from: string; at: number }[] = []
  const note = simulated(200, (gateway) => ({
    submit: (message, late) => {
      sent.push({ from: message.from, at: performance.now() })
      return gateway.submit(message, late)
    },
    close: () => gateway.close(),
    get state() {
      return gateway.state
    },
  }))
  at.start({ drivers: { simulator: note } })
  const bound = () => at.pool.query('select from sms_gateway_state where bound').then(({ rows }) => rows.length)
  await expect.poll(bound).toBe(2)
  const paced = await newSmsCampaign(at, { user: slow, phones: numbersEnding(['20'], 80) })
  const free = await newSmsCampaign(at, { user: quick, phones: numbersEnding(['21'], 80) })
  await at.pool.query(`update sms_campaign set sender = 'Free' where id = $1`, [free])
  const accepted = async (id: number) => (await smsCounts(at, id))['accepted']
  await expect.poll(() => accepted(free), { timeout: 15_000 }).toBe(80)
  expect(await accepted(paced)).not.toBe(80)
  await expect.poll(() => accepted(paced), { timeout: 15_000 }).toBe(80)
  const times = sent.filter(({ from }) => from === 'GHANTI').map((one) => one.at)
  expect(times).toHaveLength(80)
  const inSecond = times.map((from) => times.filter((time) => time >= from && time < from + 1000).length)
  expect(Math.max(...inSecond)).toBeLessThanOrEqual(20 + 2 * 5 + 2) // plus what each gateway may be ahead
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(2500)
})
