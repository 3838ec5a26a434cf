import { expect, test } from 'vitest'
import { changeOf, lastWeekOf } from './trend.ts'

test.each([
  { why: 'as much', now: 4, before: 4, unit: 'percent', change: { kind: 'same', by: 0 } },
  { why: 'twice as much is 100 % more', now: 8, before: 4, unit: 'percent', change: { kind: 'more', by: 100 } },
  { why: 'nothing left is 100 % less', now: 0, before: 4, unit: 'percent', change: { kind: 'less', by: 100 } },
  {
    why: 'three times as much is a percentage',
    now: 12,
    before: 4,
    unit: 'percent',
    change: { kind: 'more', by: 200 },
  },
  { why: 'beyond that the values say more', now: 13, before: 4, unit: 'percent', change: { kind: 'far', by: 0 } },
  { why: 'no share of nothing', now: 4, before: 0, unit: 'percent', change: { kind: 'fromNone', by: 0 } },
  { why: 'a little more is never 0 % more', now: 1001, before: 1000, unit: 'percent', change: { kind: 'more', by: 1 } },
  { why: 'shares differ by points', now: 62, before: 58, unit: 'points', change: { kind: 'more', by: 4 } },
  { why: 'also from none', now: 0, before: 58, unit: 'points', change: { kind: 'less', by: 58 } },
] as const)('$why', ({ now, before, unit, change }) => expect(changeOf(now, before, unit)).toEqual(change))

test('this week is the last seven of the fourteen days', () => {
  const none = { campaigns: 0, calls: 0, connected: 0, messages: 0, delivered: 0, cost: 0 }
  const days = Array.from({ length: 14 }, (_, n) => ({
    ...none,
    day: `2026-11-${10 + n}`,
    calls: 10 ** Math.min(n, 8),
  }))
  expect(lastWeekOf({ days, before: none }).calls).toBe(10_000_000 + 6 * 100_000_000)
  const sent = days.map((day, n) => ({ ...day, messages: n === 13 ? 5 : 0 }))
  expect(lastWeekOf({ days: sent, before: none }).messages).toBe(5)
})
