import { expect, test } from 'vitest'
import { blankForm, problemsOf, ruleBody, type RepeatForm } from './form.ts'

/** Thursday, 26 November 2026, 12:00 in Nepal. */
const now = new Date('2026-11-26T12:00:00+05:45')
const form = (of: Partial<RepeatForm>): RepeatForm => ({ ...blankForm(now), baseId: '1', ends: 'count', ...of })

test.each([
  { why: 'ten times every day', of: {}, until: '2026-12-06' },
  { why: 'once is the first day', of: { count: '1' }, until: '2026-11-27' },
  { why: 'three Sundays', of: { weekdays: ['0'], count: '3' }, until: '2026-12-13' },
  { why: 'today counts while its time is to come', of: { fromDay: '2026-11-26', time: '13:00' }, until: '2026-12-05' },
  { why: 'today does not count once it is over', of: { fromDay: '2026-11-26', time: '11:00' }, until: '2026-12-06' },
  { why: 'over the end of a year', of: { count: '40' }, until: '2027-01-05' },
  { why: 'a day, where that was chosen', of: { ends: 'day' as const, untilDay: '2026-12-24' }, until: '2026-12-24' },
  {
    why: 'a day, by column',
    of: { rule: 'column' as const, column: 'due', untilDay: '2026-12-24' },
    until: '2026-12-24',
  },
])('the last day: $why', ({ of, until }) => expect(ruleBody(form(of), now)?.untilDay).toBe(until))

test.each([
  { why: 'none', of: { count: '' }, text: 'must be a whole number from 1 to 365' },
  { why: 'nought', of: { count: '0' }, text: 'must be a whole number from 1 to 365' },
  {
    why: 'more Sundays than a year has',
    of: { weekdays: ['0'], count: '60' },
    text: 'must be a whole number from 1 to 52',
  },
])('a count is refused at its field: $why', ({ of, text }) => {
  expect(problemsOf(form(of), now).count).toBe(text)
  expect(ruleBody(form(of), now)).toBeNull()
})
