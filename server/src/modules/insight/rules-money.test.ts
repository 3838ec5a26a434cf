import { expect, test } from 'vitest'
import { dayNumber, dayOfNumber, type Days } from './rules.ts'
import { lastsOf, monthDays, monthsUpTo } from './rules-money.ts'

const shown = ({ from, to }: Days) => `${dayOfNumber(from)} ${dayOfNumber(to)}`

test.each([
  { why: 'nothing is known without a day', free: 1000, spent: [], lasts: { days: null, perDay: null, ofDays: 0 } },
  { why: 'days that cost nothing tell nothing', free: 1000, spent: [0], lasts: { days: null, perDay: 0, ofDays: 1 } },
  { why: 'whole days', free: 1000, spent: [300, 300], lasts: { days: 3, perDay: 3, ofDays: 2 } },
  { why: 'what is reserved beyond the balance', free: -5, spent: [300], lasts: { days: 0, perDay: 3, ofDays: 1 } },
])('a balance lasts: $why', ({ free, spent, lasts }) => expect(lastsOf(free, spent)).toEqual(lasts))

test.each([
  ['2026-11-22', '2026-11-01 2026-11-22', '2026-10-01 2026-10-22'],
  ['2026-03-31', '2026-03-01 2026-03-31', '2026-02-01 2026-02-28'],
  ['2026-01-01', '2026-01-01 2026-01-01', '2025-12-01 2025-12-01'],
])('on %s this month is %s and the one before %s', (today, now, before) => {
  const days = monthDays(dayNumber(today))
  expect([shown(days.now), shown(days.before)]).toEqual([now, before])
})

test('the last months begin with that of today, over the turn of the year', () => {
  const { months, days } = monthsUpTo(dayNumber('2026-01-31'), 3)
  expect(months).toEqual(['2026-01', '2025-12', '2025-11'])
  expect(shown(days)).toBe('2025-11-01 2026-01-31')
})
