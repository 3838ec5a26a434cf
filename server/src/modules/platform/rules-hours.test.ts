import { instantOfNepalTime, nepalTimeOf } from '@ghanti/contract/time.ts'
import { expect, test } from 'vitest'
import { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { defaultCallingHours, doneAt, hoursAt, wordsOf } from './rules-hours.ts'

const at = (text: string) => instantOfNepalTime(text) ?? new Date(NaN)
const weekdaysOnly = { ...defaultCallingHours, weekdays: [0, 1, 2, 3, 4] }

test.each([
  {
    why: 'the first minute',
    hours: defaultCallingHours,
    now: '2026-11-20 07:00:00',
    open: true,
    next: '2026-11-20 21:00:00',
  },
  {
    why: 'a second before',
    hours: defaultCallingHours,
    now: '2026-11-20 06:59:59',
    open: false,
    next: '2026-11-20 07:00:00',
  },
  {
    why: 'the last second',
    hours: defaultCallingHours,
    now: '2026-11-20 20:59:59',
    open: true,
    next: '2026-11-20 21:00:00',
  },
  { why: 'the end', hours: defaultCallingHours, now: '2026-11-20 21:00:00', open: false, next: '2026-11-21 07:00:00' },
  { why: 'a free weekday', hours: weekdaysOnly, now: '2026-11-20 12:00:00', open: false, next: '2026-11-22 07:00:00' },
  {
    why: 'a holiday after the evening',
    hours: {
      ...defaultCallingHours,
      holidays: [
        { date: '2026-11-21', name: 'Tihar' },
        { date: '2026-11-22', name: '' },
      ],
    },
    now: '2026-11-20 22:00:00',
    open: false,
    next: '2026-11-23 07:00:00',
  },
  {
    why: 'until midnight',
    hours: { ...defaultCallingHours, to: '24:00' },
    now: '2026-12-31 23:59:59',
    open: true,
    next: '2027-01-01 00:00:00',
  },
  {
    why: 'no day at all',
    hours: { ...defaultCallingHours, weekdays: [] },
    now: '2026-11-20 12:00:00',
    open: false,
    next: null,
  },
  {
    why: 'a weekday with hours of its own',
    hours: { ...defaultCallingHours, ownHours: [{ weekday: 6, from: '10:00', to: '16:00' }] },
    now: '2026-11-20 22:00:00',
    open: false,
    next: '2026-11-21 10:00:00',
  },
  {
    why: 'the end of that weekday',
    hours: { ...defaultCallingHours, ownHours: [{ weekday: 6, from: '10:00', to: '16:00' }] },
    now: '2026-11-21 16:00:00',
    open: false,
    next: '2026-11-22 07:00:00',
  },
  {
    why: 'a free weekday with hours of its own',
    hours: { ...weekdaysOnly, ownHours: [{ weekday: 5, from: '10:00', to: '16:00' }] },
    now: '2026-11-20 12:00:00',
    open: false,
    next: '2026-11-22 07:00:00',
  },
  {
    why: 'switched off',
    hours: { ...weekdaysOnly, enabled: false },
    now: '2026-11-20 03:00:00',
    open: true,
    next: null,
  },
])('$why', ({ hours, now, open, next }) => {
  const found = hoursAt(hours, at(now))
  const when = found.open ? found.until : found.opensAt
  expect({ open: found.open, next: when && nepalTimeOf(when) }).toEqual({ open, next })
})

test.each([
  ['an end before the beginning', { from: '21:00', to: '07:00' }],
  ['no such hour', { to: '25:00' }],
  ['no day', { weekdays: [] }],
  ['no such weekday', { weekdays: [7] }],
  ['hours of a weekday that end before they begin', { ownHours: [{ weekday: 6, from: '10:00', to: '10:00' }] }],
  ['hours of no weekday', { ownHours: [{ from: '10:00', to: '11:00' }] }],
  ['no such day', { holidays: ['2026-02-30'] }],
])('hours with %s are no hours', (_, wrong) => {
  expect(CallingHours.safeParse({ ...defaultCallingHours, ...wrong }).success).toBe(false)
})

test('hours that were stored before weekdays could have their own are read', () => {
  const { ownHours: _, ...stored } = defaultCallingHours
  expect(CallingHours.parse(stored)).toEqual(defaultCallingHours)
})

test('words name the hours of each day', () => {
  const own = { weekday: 6, from: '10:00', to: '16:00' }
  expect(wordsOf({ ...defaultCallingHours, ownHours: [own] })).toBe(
    '07:00-21:00 Sun Mon Tue Wed Thu Fri, 10:00-16:00 Sat',
  )
  expect(wordsOf({ ...weekdaysOnly, weekdays: [6], ownHours: [own] })).toBe('10:00-16:00 Sat')
})

test('holidays are days, with a name or without', () => {
  const stored = { ...defaultCallingHours, holidays: ['2026-11-21', { date: '2026-11-22', name: ' Chhath ' }] }
  const { holidays } = CallingHours.parse(stored)
  expect(holidays).toEqual([
    { date: '2026-11-21', name: '' },
    { date: '2026-11-22', name: 'Chhath' },
  ])
})

test('work goes on while it is open and rests between; what does not fit before the end is not done', () => {
  const hours = { ...defaultCallingHours, from: '10:00', to: '12:00', weekdays: [1, 2] }
  const at = (text: string) => new Date(`${text}+05:45`)
  const monday = at('2026-11-23T11:00')
  const hour = 3600_000
  const until = at('2026-12-31T00:00')
  expect(doneAt(hours, monday, { workMs: hour, until })).toEqual(at('2026-11-23T12:00'))
  expect(doneAt(hours, monday, { workMs: 2 * hour, until })).toEqual(at('2026-11-24T11:00'))
  expect(doneAt(hours, monday, { workMs: 4 * hour, until })).toEqual(at('2026-11-30T11:00'))
  expect(doneAt(hours, monday, { workMs: 2 * hour, until: at('2026-11-24T10:30') })).toBeNull()
  expect(doneAt({ ...hours, enabled: false }, monday, { workMs: 90 * hour, until })).toEqual(
    new Date(monday.getTime() + 90 * hour),
  )
  expect(doneAt({ ...hours, weekdays: [] }, monday, { workMs: 1, until })).toBeNull()
})
