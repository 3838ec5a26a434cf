import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { Rounds, type Round } from './rounds.ts'

const Line = z.object({ msg: z.string() })

/** Rounds that count how often they began; one fails, and one has nothing to do. */
function counted({ takesMs = 0, isResting = false } = {}) {
  const state = { isResting, isLost: false, isAway: false, isDue: false }
  const begun = { often: 0, seldom: 0, hourly: 0, failing: 0, optional: 0 }
  const failures: string[] = []
  let atOnce = 0
  const work = (what: keyof typeof begun) => async () => {
    begun[what] += 1
    expect((atOnce += 1)).toBeLessThanOrEqual(5)
    await sleep(takesMs)
    atOnce -= 1
    if (what === 'failing') throw new Error('no')
  }
  const rounds: Round[] = [
    { what: 'often', ms: 250, work: work('often') },
    { what: 'seldom', ms: 250, restMs: 60_000, work: work('seldom') },
    { what: 'hourly', ms: 3600_000, work: work('hourly') },
    { what: 'failing', ms: 250, work: work('failing') },
    { what: 'optional', ms: 250, isDue: () => state.isDue, work: work('optional') },
  ]
  const shutdown = new AbortController()
  const holder = {
    get lost() {
      return state.isLost ? 'another engine has it' : null
    },
    get isAway() {
      return state.isAway
    },
  }
  const log = pino({ level: 'error' }, { write: (line: string) => failures.push(z.parse(Line, JSON.parse(line)).msg) })
  const all = new Rounds(rounds, holder, () => state.isResting, shutdown, log)
  const running = all.run()
  onTestFinished(async () => {
    shutdown.abort()
    await running
  })
  return { state, begun, failures, all, shutdown, running }
}

/** Rounds at rest have just begun; they begin again in two seconds. */
async function roundsAtRest(): Promise<void> {
  const sinceMs = performance.now() % 2000
  await sleep(2050 - sinceMs)
}

test('each round begins at once and comes again in its time; one that fails is reported and comes again, one with nothing to do is left out', async () => {
  const { begun, failures, state } = counted()
  expect(begun).toEqual({ often: 1, seldom: 1, hourly: 1, failing: 1, optional: 0 })
  await expect.poll(() => begun.often).toBeGreaterThanOrEqual(4)
  expect(failures).toContain('failing')
  expect(begun.failing).toBeGreaterThanOrEqual(3)
  expect(begun.optional).toBe(0)
  state.isDue = true
  await expect.poll(() => begun.optional).toBeGreaterThanOrEqual(1)
})

test('a round that takes longer than its period does not run twice at once', async () => {
  const { begun } = counted({ takesMs: 400 }) // 'at most five at once' is expected in each
  await expect.poll(() => begun.often, { timeout: 5000 }).toBeGreaterThanOrEqual(4)
})

test('while a dialer rests, its rounds come seldom; when it is woken or rests no more, they come at once, and often', async () => {
  const { begun, state, all } = counted({ isResting: true })
  const first = { ...begun }
  await sleep(1200)
  expect(begun.often - first.often).toBeLessThanOrEqual(1)
  const { seldom: rested } = begun // once more where the two seconds of rest ended meanwhile
  state.isResting = false
  all.wake()
  expect([begun.seldom, begun.hourly]).toEqual([rested + 1, 1])
  await expect.poll(() => begun.often - first.often).toBeGreaterThanOrEqual(4)
  state.isResting = true
  await roundsAtRest()
  const { seldom } = begun
  state.isResting = false // nobody wakes it
  await expect.poll(() => begun.seldom, { timeout: 1200 }).toBeGreaterThan(seldom)
})

test.each([{ isResting: false }, { isResting: true }])(
  'a lost dialer’s rounds end, and with them what is under way (at rest: $isResting)',
  async ({ isResting }) => {
    const { begun, state, running, shutdown } = counted({ isResting, takesMs: 300 })
    if (isResting) await roundsAtRest()
    state.isLost = true
    await Promise.race([running, sleep(1000)])
    expect(shutdown.signal.aborted).toBe(true)
    const after = { ...begun }
    await sleep(600)
    expect(begun).toEqual(after)
  },
)
