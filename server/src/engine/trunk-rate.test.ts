import { expect, test } from 'vitest'
import { LimitedOperator, type OperatorLimit } from '../drivers/telephony/simulator/limit.ts'
import { Pace } from './pacing.ts'
import { TrunkRate } from './trunk-rate.ts'

const stepMs = 5
const answersInMs = 120
type Sum = { invites: number; refused: number }

/** A trunk whose engine looks every 5 ms whether a call may begin, and its operator, for so many seconds by a clock of their own; sums by minute. */
function run(of: { contract: number; limit: (second: number) => OperatorLimit | null; seconds: number }): {
  minutes: Sum[]
  rate: TrunkRate
} {
  const pace = new Pace(0)
  const rate = new TrunkRate()
  const answers: { at: number; begunAt: number; retryAfterMs: number }[] = []
  const minutes: Sum[] = []
  const recent: number[] = []
  const none = new LimitedOperator({ callsPerSecond: Infinity })
  let operator = none
  for (let now = 0; now < of.seconds * 1000; now += stepMs) {
    const limit = of.limit(Math.floor(now / 1000))
    if (operator.limit !== (limit ?? none.limit)) operator = limit ? new LimitedOperator(limit) : none
    const sum = (minutes[Math.floor(now / 60_000)] ??= { invites: 0, refused: 0 })
    while (answers[0] && answers[0].at <= now) {
      const { begunAt, retryAfterMs } = answers.shift() ?? { begunAt: 0, retryAfterMs: 0 }
      sum.refused += 1
      recent.push(now)
      const refusedLately = recent.filter((at) => now - at < 1000).length
      const taken = pace.begunLately(now) - refusedLately
      rate.refused({ begunAt, contract: of.contract, taken, retryAfterMs, now })
    }
    if (!pace.mayBegin(rate.allowed(of.contract, now), now)) continue
    pace.begins(now)
    rate.began()
    sum.invites += 1
    if (!operator.takes(now))
      answers.push({ at: now + answersInMs, begunAt: now, retryAfterMs: operator.limit.retryAfterMs ?? 0 })
  }
  return { minutes, rate }
}
const sumOf = (minutes: readonly Sum[]): Sum =>
  minutes.reduce((a, b) => ({ invites: a.invites + b.invites, refused: a.refused + b.refused }), {
    invites: 0,
    refused: 0,
  })

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

test('the first minute of a new limit costs a dozen calls at most', () => {
  const { minutes } = run({ contract: 10, limit: () => five, seconds: 60 })
  expect(sumOf(minutes).refused).toBeLessThanOrEqual(12)
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
  for (const now of [80, 90, 100]) rate.refused({ begunAt: 0, contract: 10, taken: 5, retryAfterMs: 3_600_000, now })
  expect([rate.allowed(10, 60_000), rate.allowed(10, 60_100)]).toEqual([0, 5])
})

test('calls that were on their way when the rate was halved halve it no further; what the operator takes is what was not refused', () => {
  const rate = new TrunkRate()
  const call = { contract: 10, taken: 5, retryAfterMs: 0 }
  for (const now of [980, 990]) expect(rate.refused({ ...call, begunAt: 890, now })).toBe(false)
  expect(rate.refused({ ...call, begunAt: 900, now: 1000 })).toBe(true)
  expect(rate.refused({ ...call, begunAt: 990, now: 1090 })).toBe(false)
  expect(rate.allowed(10, 1000)).toBe(5)
  expect(rate.takes(10, 1000)).toBe(5)
  expect(rate.refused({ ...call, begunAt: 1100, now: 1199 })).toBe(false)
  expect(rate.refused({ ...call, begunAt: 1100, now: 1200 })).toBe(true)
  expect(rate.allowed(10, 1200)).toBeCloseTo(2.51)
})

test('one number in twenty that answers 503 at any rate slows nobody down', () => {
  const rate = new TrunkRate()
  for (let n = 0; n < 4000; n += 1) {
    rate.began()
    if (n % 20 === 7) rate.refused({ begunAt: n * 10, contract: 100, taken: 95, retryAfterMs: 0, now: n * 10 + 100 })
  }
  expect(rate.allowed(100, 40_000)).toBe(100)
})
