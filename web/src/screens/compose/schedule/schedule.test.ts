import { weekdayOf } from '@ghanti/contract/days.ts'
import { expect, test } from 'vitest'
import { firstDay, isInFuture, quarterHoursOf, quickTime, scheduleTimeOf, whenText } from './schedule.ts'

const now = new Date('2026-11-21T08:22:00Z')

test('a day to come offers its 96 quarter hours', () => {
  const quarters = quarterHoursOf('2026-11-22', now)
  expect(quarters).toHaveLength(96)
  expect([quarters[0], quarters[1], quarters.at(-1)]).toEqual(['00:00', '00:15', '23:45'])
})

test.each([
  { why: 'today starts with the next quarter in Nepal', at: '2026-11-21T08:22:00Z', first: '14:15' },
  { why: 'a quarter that is now is past', at: '2026-11-21T08:30:00Z', first: '14:30' },
  { why: 'late in the day nothing is left', at: '2026-11-21T18:00:00Z', first: undefined },
])('$why', ({ at, first }) => {
  expect(quarterHoursOf('2026-11-21', new Date(at))[0]).toBe(first)
})

test('a day that has passed offers nothing, and neither does an invalid day', () => {
  expect(quarterHoursOf('2026-11-20', now)).toEqual([])
  expect(quarterHoursOf('', now)).toEqual([])
})

test.each([
  { why: 'today while it has a quarter left', at: '2026-11-21T17:59:00Z', day: '2026-11-21' },
  { why: 'tomorrow from 23:45 on', at: '2026-11-21T18:00:00Z', day: '2026-11-22' },
  { why: 'Nepal is a day ahead of UTC in the evening', at: '2026-11-20T19:00:00Z', day: '2026-11-21' },
])('the first day: $why', ({ at, day }) => {
  expect(firstDay(new Date(at))).toBe(day)
})

test('a time is complete or empty', () => {
  expect(scheduleTimeOf('2026-11-21', '14:15')).toBe('2026-11-21 14:15:00')
  expect(scheduleTimeOf('2026-11-21', null)).toBe('')
  expect(scheduleTimeOf(null, '14:15')).toBe('')
})

test('future times are distinguished from past and invalid ones', () => {
  expect(isInFuture('2026-11-21 14:15:00', now)).toBe(true)
  expect(isInFuture('2026-11-21 14:00:00', now)).toBe(false)
  expect(isInFuture('', now)).toBe(false)
})

test('a time of today is shown without its day', () => {
  expect(whenText('2026-11-21 16:20:00', now)).toBe('16:20')
  expect(whenText('2026-11-22 00:05:00', now)).toBe('2026-11-22 00:05')
})

test('weekdays count from Sunday', () => {
  expect(weekdayOf('2026-11-21')).toBe(6)
})

test.each([
  { why: 'in an hour, at the next quarter', which: 'inAnHour', at: '2026-11-21T08:22:00Z', is: '2026-11-21 15:15' },
  { why: 'in an hour to the second', which: 'inAnHour', at: '2026-11-21T08:30:00Z', is: '2026-11-21 15:15' },
  { why: 'in an hour is tomorrow', which: 'inAnHour', at: '2026-11-30T17:50:00Z', is: '2026-12-01 00:45' },
  { why: 'tomorrow, by Nepal’s midnight', which: 'tomorrow', at: '2026-11-30T18:20:00Z', is: '2026-12-02 10:00' },
  { why: 'tomorrow, over a year’s end', which: 'tomorrow', at: '2026-12-31T12:00:00Z', is: '2027-01-01 10:00' },
  { why: 'Sunday, seen from Saturday', which: 'sunday', at: '2026-11-21T08:00:00Z', is: '2026-11-22 10:00' },
  {
    why: 'Sunday, seen from a Sunday, is the next',
    which: 'sunday',
    at: '2026-11-22T08:00:00Z',
    is: '2026-11-29 10:00',
  },
  { why: 'Sunday, over a month’s end', which: 'sunday', at: '2027-02-22T08:00:00Z', is: '2027-02-28 10:00' },
] as const)('quick choice: $why', ({ which, at, is }) => {
  const { day, time } = quickTime(which, new Date(at))
  expect(`${day} ${time}`).toBe(is)
})
