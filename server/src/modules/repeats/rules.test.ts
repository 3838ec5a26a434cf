import { expect, test } from 'vitest'
import { comingDay, dayFrom, daysFrom, isMissed, ruleProblems, type Days } from './rules.ts'

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
  expect(daysFrom({ ...days, ...of }, comingDay({ ...days, ...of }, now)).slice(0, 2)).toEqual(next),
)

test('a weekday that does not come before the end is none', () => {
  expect(dayFrom({ ...days, weekdays: [3], untilDay: '2026-11-30' }, '2026-11-26')).toBeNull()
})

test('a day is missed two hours after its time, not before', () => {
  expect(isMissed('2026-11-26', '10:00', at('26T12:00'))).toBe(false)
  expect(isMissed('2026-11-26', '10:00', at('26T12:01'))).toBe(true)
})

test.each([
  { why: 'weekdays of a week', of: { weekdays: undefined }, wrong: ['weekdays is required'] },
  {
    why: 'a column of the file',
    of: { rule: 'column' as const, column: 'paid' },
    wrong: ['column is not a column of the contact file'],
  },
  {
    why: 'no column of the number',
    of: { rule: 'column' as const, column: 'mobile' },
    wrong: ['column is not a column of the contact file'],
  },
  { why: 'days of the calendar', of: { fromDay: '2026-02-31' }, wrong: ['fromDay is no day of the calendar'] },
  {
    why: 'an end after the beginning',
    of: { untilDay: '2026-10-01' },
    wrong: ['untilDay must not be before the beginning'],
  },
  { why: 'an end within a year', of: { untilDay: '2027-12-31' }, wrong: ['untilDay is more than 366 days ahead'] },
  {
    why: 'a day that is to come',
    of: { weekdays: [3], untilDay: '2026-11-30' },
    wrong: ['untilDay leaves no day: every one is over, or none is chosen'],
  },
])('a rule has $why', ({ of, wrong }) => {
  const rule = { ...days, offsetDays: 0, ...of }
  const problems = ruleProblems(rule, ['mobile', 'due'], at('26T12:00'))
  expect(problems.map(({ field, text }) => `${field} ${text}`)).toEqual(wrong)
})
