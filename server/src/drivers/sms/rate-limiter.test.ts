import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { RateLimiter } from './rate-limiter.ts'
import { virtualTime } from '../../testing/virtual-time.ts'

virtualTime({ runs: true }) // a busy machine would see a segment later than it left

test('at most a window of segments is under way, and they leave in order', async () => {
  const limiter = new RateLimiter({ window: 3, tps: 10_000 })
  const order: number[] = []
  let under = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      expect(await limiter.take()).toBe(true)
      order.push(index)
      most = Math.max(most, (under += 1))
      await sleep(1)
      under -= 1
      limiter.give()
    }),
  )
  expect(most).toBe(3)
  expect(order).toEqual(Array.from({ length: 30 }, (_, index) => index))
})

test('no second has more segments than the rate allows', async () => {
  const limiter = new RateLimiter({ window: 1000, tps: 50 })
  const times: number[] = []
  for (let sent = 0; sent < 120; sent += 1) {
    await limiter.take()
    times.push(performance.now())
  }
  for (let index = 50; index < times.length; index += 1)
    expect((times[index] ?? 0) - (times[index - 50] ?? 0)).toBeGreaterThanOrEqual(999)
})

test('after a refusal for being too fast nothing leaves for a while, twice as long when it is repeated; segments that were under way together count once', async () => {
  const limiter = new RateLimiter({ window: 10, tps: 1000 })
  await limiter.take()
  const first = performance.now()
  limiter.throttled(first, first)
  limiter.throttled(first - 1, first + 1)
  await limiter.take()
  const second = performance.now()
  expect(second - first).toBeGreaterThanOrEqual(499)
  limiter.throttled(second, second)
  await limiter.take()
  expect(performance.now() - second).toBeGreaterThanOrEqual(999)
})

test('segments that wait when it ends are refused, and so are later ones', async () => {
  const limiter = new RateLimiter({ window: 1, tps: 10 })
  expect(await limiter.take()).toBe(true)
  const waiting = limiter.take()
  limiter.end()
  expect(await waiting).toBe(false)
  expect(await limiter.take()).toBe(false)
})

test('whether a message may still leave is asked at its turn, and one that may not delays no other', async () => {
  const limiter = new RateLimiter({ window: 1, tps: 1000 })
  let open = true
  expect(await limiter.take(() => open)).toBe(true)
  const [late, next] = [limiter.take(() => open), limiter.take()]
  open = false
  limiter.give()
  expect([await late, await next]).toEqual([false, true])
  expect(limiter.used).toBe(1)
})
