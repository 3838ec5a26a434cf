import { expect, test } from 'vitest'
import { comingDay, dayFrom, daysFrom, type Days } from './repeat-days.ts'

const everyDay = [0, 1, 2, 3, 4, 5, 6]
const days: Days = { rule: 'weekly', weekdays: everyDay, time: '10:00', fromDay: '2026-11-01', untilDay: '2026-12-31' }
/** 26 November 2026 is a Thursday. */
const at = (nepal: string) => new Date(`2026-11-${nepal}:00+05:45`)

test.each([
  { why: 'today while its time is to come', now: at('26T09:59'), next: ['2026-11-26', '2026-11-27'] },
  { why: 'tomorrow once it has begun', now: at('26T10:00'), next: ['2026-11-27', '2026-11-28'] },
  { why: 'Nepal’s day, not that of UTC', now: at('26T00:10'), next: ['2026-11-26', '2026-11-27'] },
  { why: 'the first day', now: at('26T12:00'), of: { fromDay: '2026-12-05' }, next: ['2026-12-05', '2026-12-06'] },
  { why: 'Sundays and Fridays', now: at('26T12:00'), of: { weekdays: [0, 5] }, next: ['2026-11-27', '2026-11-29'] },
  { why: 'up to the last day', now: at('26T12:00'), of: { untilDay: '2026-11-27' }, next: ['2026-11-27'] },
  { why: 'none when it is over', now: at('26T12:00'), of: { untilDay: '2026-11-26' }, next: [] },
  {
    why: 'each day by column',
    now: at('26T12:00'),
    of: { rule: 'column' as const, weekdays: [] },
    next: ['2026-11-27', '2026-11-28'],
  },
])('the next days: $why', ({ now, of = {}, next }) =>
  expect(daysFrom({ ...days, ...of }, comingDay({ ...days, ...of }, now), 2)).toEqual(next),
)

test('a weekday that does not come before the end is none', () => {
  expect(dayFrom({ ...days, weekdays: [3], untilDay: '2026-11-30' }, '2026-11-26')).toBeNull()
})
