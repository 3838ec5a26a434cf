import { expect, test } from 'vitest'
import { isMissed, ruleProblems } from './rules.ts'

const days = {
  rule: 'weekly',
  weekdays: [0, 1, 2, 3, 4, 5, 6],
  time: '10:00',
  fromDay: '2026-11-01',
  untilDay: '2026-12-31',
} as const
/** 26 November 2026 is a Thursday. */
const at = (nepal: string) => new Date(`2026-11-${nepal}:00+05:45`)

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
  { why: 'days of the calendar', of: { fromDay: '2026-02-31' }, wrong: ['fromDay is not a day of the calendar'] },
  {
    why: 'an end after the beginning',
    of: { untilDay: '2026-10-01' },
    wrong: ['untilDay must not be before the beginning'],
  },
  { why: 'an end within a year', of: { untilDay: '2027-12-31' }, wrong: ['untilDay is more than 366 days ahead'] },
  {
    why: 'a day that is to come',
    of: { weekdays: [3], untilDay: '2026-11-30' },
    wrong: ['untilDay leaves no day: every one has passed, or none is chosen'],
  },
])('a rule has $why', ({ of, wrong }) => {
  const rule = { ...days, weekdays: [...days.weekdays], offsetDays: 0, ...of }
  const problems = ruleProblems(rule, ['mobile', 'due'], at('26T12:00'))
  expect(problems.map(({ field, text }) => `${field} ${text}`)).toEqual(wrong)
})
