import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { choices, dates, recentDays } from './filters.ts'
import { rangeOf } from './range.ts'

const isDates = (value: string) => z.safeParse(dates.field, value).success

test.each(['2026-11-01..2026-11-30', '2026-11-01..', '..2026-11-30', '2026-11-01..2026-11-01', ...recentDays])(
  '%s are days',
  (value) => expect(isDates(value)).toBe(true),
)

test.each([
  ['..', 'has neither'],
  ['2026-11-30..2026-11-01', 'ends before it begins'],
  ['2026-02-30..', 'is in no calendar'],
  ['0085-01-01..', 'is no year that anybody means'],
  ['2026-11-01', 'says neither from nor until'],
  ['last8', 'is none of the recent ones'],
])('%s are none: it %s', (value) => expect(isDates(value)).toBe(false))

test('days that end before they begin are refused with these words', () => {
  const { error } = z.safeParse(dates.field, '2026-11-30..2026-11-01')
  expect(error?.issues.map(({ message }) => message)).toEqual(['must not end before it begins'])
})

const now = new Date('2026-11-23T18:30:00Z') // 00:15 of the 24th in Nepal
test.each([
  ['2026-11-01..2026-11-30', '2026-10-31T18:15:00Z', '2026-11-30T18:15:00Z'],
  ['today', '2026-11-23T18:15:00Z', '2026-11-24T18:15:00Z'],
  ['yesterday', '2026-11-22T18:15:00Z', '2026-11-23T18:15:00Z'],
  ['last7', '2026-11-17T18:15:00Z', '2026-11-24T18:15:00Z'],
  ['last30', '2026-10-25T18:15:00Z', '2026-11-24T18:15:00Z'],
  ['thisMonth', '2026-10-31T18:15:00Z', '2026-11-30T18:15:00Z'],
  ['lastMonth', '2026-09-30T18:15:00Z', '2026-10-31T18:15:00Z'],
])('%s are Nepal’s days, the last one included', (value, from, to) =>
  expect(rangeOf(value, now)).toEqual({ from: new Date(from), to: new Date(to) }),
)

test('an open range has one end', () => {
  expect(rangeOf('2026-11-24..', now)).toEqual({ from: new Date('2026-11-23T18:15:00Z') })
  expect(rangeOf('..2026-11-24', now)).toEqual({ to: new Date('2026-11-24T18:15:00Z') })
  expect(rangeOf(undefined, now)).toEqual({})
})

test('several choices are kept once each; an unknown one is refused with the list of valid ones', () => {
  const { field } = choices(['open', 'closed'])
  expect(z.parse(field, 'closed,open,closed')).toEqual(['closed', 'open'])
  const refused = z.safeParse(field, 'open,ajar')
  expect(refused.error?.issues.map(({ message }) => message)).toEqual(['must be one of open, closed'])
})
