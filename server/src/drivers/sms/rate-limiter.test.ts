import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { RateLimiter } from './rate-limiter.ts'

test('no more are under way than the window holds, and they leave in the order in which they came', async () => {
  const pace = new RateLimiter({ window: 3, tps: 10_000 })
  const order: number[] = []
  let under = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      expect(await pace.take()).toBe(true)
      order.push(index)
      most = Math.max(most, (under += 1))
      await sleep(1)
      under -= 1
      pace.give()
    }),
  )
  expect(most).toBe(3)
  expect(order).toEqual(Array.from({ length: 30 }, (_, index) => index))
})

test('in no second more leave than the rate allows', async () => {
  const pace = new RateLimiter({ window: 1000, tps: 50 })
  const times: number[] = []
  for (let sent = 0; sent < 120; sent += 1) {
    await pace.take()
    times.push(performance.now())
  }
  for (let index = 50; index < times.length; index += 1)
    expect((times[index] ?? 0) - (times[index - 50] ?? 0)).toBeGreaterThanOrEqual(999)
})

test('after a refusal for being too fast nothing leaves for a while, twice as long when it is repeated; what was under way counts once', async () => {
  const pace = new RateLimiter({ window: 10, tps: 1000 })
  await pace.take()
  const first = performance.now()
  pace.throttled(first, first)
  pace.throttled(first - 1, first + 1)
  await pace.take()
  const second = performance.now()
  expect(second - first).toBeGreaterThanOrEqual(499)
  pace.throttled(second, second)
  await pace.take()
  expect(performance.now() - second).toBeGreaterThanOrEqual(999)
})

test('those who wait when it ends are refused, and those who come later', async () => {
  const pace = new RateLimiter({ window: 1, tps: 10 })
  expect(await pace.take()).toBe(true)
  const waiting = pace.take()
  pace.end()
  expect(await waiting).toBe(false)
  expect(await pace.take()).toBe(false)
})

test('a message that may not leave any more is asked at its turn, and holds up no other', async () => {
  const pace = new RateLimiter({ window: 1, tps: 1000 })
  let open = true
  expect(await pace.take(() => open)).toBe(true)
  const [late, next] = [pace.take(() => open), pace.take()]
  open = false
  pace.give()
  expect([await late, await next]).toEqual([false, true])
  expect(pace.used).toBe(1)
})
