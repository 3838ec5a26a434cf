import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runEvery } from './run-every.ts'

/** The timers of run-every.ts alone: this process runs other files' tests too, whose pools and servers have timers of their own. */
function timersOfEvery(): { waiting: ReadonlySet<unknown>; set(): number } {
  const { setTimeout, clearTimeout } = globalThis
  const waiting = new Set<unknown>()
  let count = 0
  const setting = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number) => {
    const isOurs = new Error('who asks').stack?.includes('/rounds/run-every.ts') ?? false
    const timer = setTimeout(() => {
      waiting.delete(timer)
      work()
    }, ms)
    if (isOurs) {
      waiting.add(timer)
      count++
    }
    return timer
  }) as typeof setTimeout)
  const clearing = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    waiting.delete(timer)
    clearTimeout(timer)
  })
  onTestFinished(() => {
    setting.mockRestore()
    clearing.mockRestore()
  })
  return { waiting, set: () => count }
}

test('a thousand that are due every 50 ms wait by one timer, go at the same moment, and leave none behind', async () => {
  const timers = timersOfEvery()
  const shutdown = new AbortController()
  const rounds: number[][] = []
  const all = Array.from({ length: 1000 }, (_, i) => {
    const mine: number[] = (rounds[i] = [])
    return runEvery(50, shutdown.signal, async () => void mine.push(performance.now()))
  })
  await expect.poll(() => Math.min(...rounds.map((mine) => mine.length))).toBeGreaterThanOrEqual(3)
  await sleep(1)
  expect(timers.waiting.size).toBeLessThanOrEqual(1)
  expect(timers.set()).toBeGreaterThan(0)
  const thirds = rounds.map((mine) => mine[2] ?? 0)
  expect(Math.max(...thirds) - Math.min(...thirds)).toBeLessThan(50)
  shutdown.abort()
  await Promise.all(all)
  expect(timers.waiting.size).toBe(0)
})

test('a round that takes longer than its period is not begun again before it is over; one that waits for an hour ends with its signal', async () => {
  const shutdown = new AbortController()
  let under = 0
  let most = 0
  let done = 0
  const slow = runEvery(10, shutdown.signal, async () => {
    most = Math.max(most, ++under)
    await sleep(35)
    under--
    done++
  })
  const rare = runEvery(3600_000, shutdown.signal, async () => undefined)
  await expect.poll(() => done).toBeGreaterThanOrEqual(3)
  expect(most).toBe(1)
  shutdown.abort()
  await Promise.all([slow, rare])
})

test('one that ends meanwhile is not woken any more, and the others are', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  let rounds = [0, 0]
  const one = runEvery(20, first.signal, async () => void (rounds = [(rounds[0] ?? 0) + 1, rounds[1] ?? 0]))
  const other = runEvery(20, second.signal, async () => void (rounds = [rounds[0] ?? 0, (rounds[1] ?? 0) + 1]))
  await expect.poll(() => rounds[1]).toBeGreaterThanOrEqual(2)
  first.abort()
  await one
  const [ended = 0, going = 0] = rounds
  await expect.poll(() => rounds[1]).toBeGreaterThanOrEqual(going + 2)
  expect(rounds[0]).toBe(ended)
  second.abort()
  await other
})

test('a round with nothing to do is left out, those beside it are not; it is made when there is something to do, and ends with its signal while there is not', async () => {
  const shutdown = new AbortController()
  const rounds = { idle: 0, busy: 0 }
  let isDue = false
  const idle = runEvery(
    20,
    shutdown.signal,
    async () => void (rounds.idle += 1),
    () => isDue,
  )
  const busy = runEvery(20, shutdown.signal, async () => void (rounds.busy += 1))
  await expect.poll(() => rounds.busy).toBeGreaterThanOrEqual(4)
  expect(rounds.idle).toBe(1) // the first is made at once
  isDue = true
  await expect.poll(() => rounds.idle).toBeGreaterThanOrEqual(3)
  isDue = false
  shutdown.abort()
  await Promise.all([idle, busy])
})
