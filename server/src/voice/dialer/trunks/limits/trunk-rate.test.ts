import { expect, test } from 'vitest'
import { LimitedOperator, type OperatorLimit } from '../../../../drivers/telephony/simulator/limit.ts'
import { RateLimiter } from '../../../../dispatch/turns/pacing.ts'
import { TrunkRate } from './trunk-rate.ts'

const stepMs = 5
const answersInMs = 120
/** `room`: refused for want of it. */
type Sum = { invites: number; refused: number; room: number }

/** `network` refuses each call of a customer's, whatever the rate: by how many had begun. */
type Run = {
  contract: number
  limit(second: number): OperatorLimit | null
  seconds: number
  customers?: number
  broken?(customer: number, second: number): boolean
  /** What was known when the engine began. */
  takes?: number
}

/** A trunk whose engine looks every 5 ms whether a call may begin, customers by turns, and its operator, for so many seconds by a clock of their own; sums by minute. */
function run(of: Run): { minutes: Sum[]; rate: TrunkRate } {
  const { contract, customers = 1 } = of
  const limiter = new RateLimiter(0)
  const rate = new TrunkRate(of.takes ?? null, 0)
  const answers: { at: number; begunAt: number; groups: string[]; refused: OperatorLimit | null }[] = []
  const minutes: Sum[] = []
  const recent: number[] = []
  const none = new LimitedOperator({ callsPerSecond: Infinity })
  let operator = none
  let invites = 0
  for (let now = 0; now < of.seconds * 1000; now += stepMs) {
    const second = Math.floor(now / 1000)
    const limit = of.limit(second)
    if (operator.limit !== (limit ?? none.limit)) operator = limit ? new LimitedOperator(limit) : none
    const sum = (minutes[Math.floor(now / 60_000)] ??= { invites: 0, refused: 0, room: 0 })
    while (answers[0] && answers[0].at <= now) {
      const { begunAt, groups, refused } = answers.shift() ?? { begunAt: 0, groups: [], refused: null }
      const call = { begunAt, again: false, groups, now }
      if (!refused) {
        rate.passed(call)
        continue
      }
      sum.refused += 1
      if (refused !== network) sum.room += 1
      recent.push(now)
      const refusedLately = recent.filter((at) => now - at < 1000).length
      const taken = limiter.begunLately(now) - refusedLately
      rate.refused({ ...call, contract, taken, retryAfterMs: refused.retryAfterMs ?? 0 })
    }
    if (!limiter.mayBegin(rate.allowed(contract, now), now)) continue
    limiter.begins(now)
    rate.began()
    sum.invites += 1
    invites += 1
    const customer = invites % customers
    const refused = of.broken?.(customer, second) ? network : operator.takes(now) ? null : operator.limit
    answers.push({ at: now + answersInMs, begunAt: now, groups: [`campaign ${customer}`], refused })
  }
  return { minutes, rate }
}
/** It takes no call of some numbers, and has room for them. */
const network: OperatorLimit = { callsPerSecond: 0 }
const sumOf = (minutes: readonly Sum[]): Sum =>
  minutes.reduce(
    (a, b) => ({ invites: a.invites + b.invites, refused: a.refused + b.refused, room: a.room + b.room }),
    { invites: 0, refused: 0, room: 0 },
  )

/** A call that has nothing in common with others. */
const alone = { again: false, groups: [] }
const five: OperatorLimit = { callsPerSecond: 5 }
test.each([
  { contract: 10, limit: five },
  { contract: 10, limit: { callsPerSecond: 1 } },
  { contract: 100, limit: five },
  { contract: 30, limit: { callsPerSecond: 29 } },
])(
  'at $contract calls a second against an operator who takes $limit.callsPerSecond, under 5 % are refused in the steady state, and most of what the operator takes goes out',
  ({ contract, limit }) => {
    const { minutes } = run({ contract, limit: () => limit, seconds: 1200 })
    const { invites, refused } = sumOf(minutes.slice(2))
    expect(refused / invites).toBeLessThan(0.05)
    expect(invites - refused).toBeGreaterThan(0.65 * limit.callsPerSecond * 60 * (minutes.length - 2))
  },
)

test('the first minute of a new limit costs fewer than ten calls', () => {
  const { minutes } = run({ contract: 10, limit: () => five, seconds: 60 })
  expect(sumOf(minutes).refused).toBeLessThan(10)
})

test('an operator who takes everything again gets the contract’s rate within two minutes', () => {
  const { minutes, rate } = run({ contract: 10, limit: (second) => (second < 300 ? five : null), seconds: 600 })
  expect(rate.allowed(10, 600_000)).toBe(10)
  expect(rate.takes(10, 600_000)).toBeNull()
  expect(minutes[7]?.invites).toBeGreaterThan(590)
})

test('no call goes out while the operator has asked to wait, a minute at most', () => {
  const asks = { callsPerSecond: 5, retryAfterMs: 20_000 }
  const { minutes } = run({ contract: 10, limit: (second) => (second < 2 ? asks : null), seconds: 60 })
  expect(sumOf(minutes).refused).toBeLessThan(4)
  const rate = new TrunkRate()
  for (const now of [80, 90, 100])
    rate.refused({ ...alone, begunAt: 0, contract: 10, taken: 5, retryAfterMs: 3_600_000, now })
  expect([rate.allowed(10, 60_000), rate.allowed(10, 60_100)]).toEqual([0, 5])
})

test('calls that were on their way when the rate was halved halve it no further; what the operator takes is what was not refused', () => {
  const rate = new TrunkRate()
  const call = { ...alone, contract: 10, taken: 5, retryAfterMs: 0 }
  for (const now of [980, 990]) expect(rate.refused({ ...call, begunAt: 890, now })).toBe(false)
  expect(rate.refused({ ...call, begunAt: 900, now: 1000 })).toBe(true)
  expect(rate.refused({ ...call, begunAt: 990, now: 1090 })).toBe(false)
  expect(rate.allowed(10, 1000)).toBe(5)
  expect(rate.takes(10, 1000)).toBe(5)
  rate.passed({ ...alone, begunAt: 1090, now: 1190 })
  expect(rate.refused({ ...call, begunAt: 1100, now: 1199 })).toBe(false)
  expect(rate.refused({ ...call, begunAt: 1100, now: 1200 })).toBe(true)
  expect(rate.allowed(10, 1200)).toBeCloseTo(2.51)
})

test('one number in twenty that answers 503 at any rate slows nobody down', () => {
  const rate = new TrunkRate()
  for (let n = 0; n < 4000; n += 1) {
    rate.began()
    const call = { ...alone, begunAt: n * 10, now: n * 10 + 100 }
    if (n % 20 === 7) rate.refused({ ...call, contract: 100, taken: 95, retryAfterMs: 0 })
    else rate.passed(call)
  }
  expect(rate.allowed(100, 40_000)).toBe(100)
})

test('where nothing passes after the rate was halved, each refusal halves it again, but not of a row that met one before', () => {
  const rate = new TrunkRate()
  const call = { ...alone, contract: 100, taken: 0, retryAfterMs: 0 }
  for (const now of [80, 90, 100]) rate.refused({ ...call, begunAt: 0, now })
  expect(rate.refused({ ...call, begunAt: 150, now: 200 })).toBe(true)
  expect(rate.refused({ ...call, begunAt: 250, again: true, now: 300 })).toBe(false)
  expect(rate.refused({ ...call, begunAt: 250, now: 300 })).toBe(true)
  rate.passed({ ...alone, begunAt: 350, now: 400 })
  expect(rate.refused({ ...call, begunAt: 350, now: 400 })).toBe(false)
})

test.each([
  { contract: 10, share: 2, what: 'every second call' },
  { contract: 10, share: 5, what: 'every fifth call' },
  { contract: 100, share: 3, what: 'every third call' },
])(
  'at $contract calls a second one customer whose numbers all answer 503, $what, slows the others down for a minute and no more',
  ({ contract, share }) => {
    const { minutes } = run({ contract, limit: () => null, seconds: 600, customers: share, broken: (n) => n === 0 })
    expect(sumOf(minutes.slice(2)).invites).toBeGreaterThan(0.98 * contract * 60 * 8)
  },
)

test.each([
  { contract: 10, callsPerSecond: 5, customers: 2 },
  { contract: 10, callsPerSecond: 1, customers: 2 },
  { contract: 100, callsPerSecond: 5, customers: 2 },
  { contract: 100, callsPerSecond: 20, customers: 4 },
])(
  'an operator who takes $callsPerSecond/s of $contract/s from $customers customers by turns has no room for either: it is not taken for their numbers',
  ({ contract, customers, ...limit }) => {
    const { invites, refused } = sumOf(run({ contract, limit: () => limit, seconds: 1200, customers }).minutes.slice(2))
    expect(refused / invites).toBeLessThan(0.05)
  },
)

test('the rate of an operator who takes 5/s is found although the numbers of one customer answer 503 too', () => {
  const { minutes } = run({ contract: 10, limit: () => five, seconds: 1800, customers: 2, broken: (n) => n === 0 })
  const later = sumOf(minutes.slice(3))
  expect(later.room / later.invites).toBeLessThan(0.05)
})

test('an engine that knows what the operator took begins no faster, and has the contract’s rate within two minutes where it may', () => {
  const known = run({ contract: 10, limit: () => five, seconds: 60, takes: 5 })
  expect(sumOf(known.minutes).refused).toBeLessThan(4)
  const { minutes } = run({ contract: 10, limit: () => null, seconds: 240, takes: 5 })
  expect(minutes[3]?.invites).toBeGreaterThan(590)
})
