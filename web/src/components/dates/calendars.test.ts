import { expect, test } from 'vitest'
import {
  bsEnd,
  daysOf,
  inMonths,
  monthOf,
  readTyped,
  saidIn,
  seemsOther,
  textOf,
  unreadable,
  writtenIn,
} from './calendars.ts'
import { isDay } from './day.ts'
import { presetRange } from './presets.ts'

test.each([
  { typed: '2026-11-23', calendar: 'ad', read: { day: '2026-11-23' } },
  { typed: '2026/1/5', calendar: 'ad', read: { day: '2026-01-05' } },
  { typed: '20261123', calendar: 'ad', read: { day: '2026-11-23' } },
  { typed: '2083-08-07', calendar: 'bs', read: { day: '2026-11-23' } },
  { typed: ' २०८३.८.७ ', calendar: 'bs', read: { day: '2026-11-23' } },
  { typed: '23 Nov 2026', calendar: 'bs', read: { day: '2026-11-23' } },
  { typed: 'मंसिर ७, २०८३', calendar: 'ad', read: { day: '2026-11-23' } },
  { typed: '7 Mangsir 2083', calendar: 'bs', read: { day: '2026-11-23' } },
  { typed: '31 Nov 2026', calendar: 'ad', read: { fault: 'no date' } },
  { typed: '23 Brumaire 2026', calendar: 'ad', read: { fault: 'no date' } },
  { typed: '2026-02-31', calendar: 'ad', read: { fault: 'no date' } },
  { typed: '2083-08-31', calendar: 'bs', read: { fault: 'no date' } },
  { typed: '2083-13-01', calendar: 'bs', read: { fault: 'no date' } },
  { typed: '2091-01-01', calendar: 'bs', read: { fault: 'beyond' } },
  { typed: '23.11.2026', calendar: 'ad', read: { fault: 'no date' } },
  { typed: 'tomorrow', calendar: 'bs', read: { fault: 'no date' } },
  { typed: '', calendar: 'ad', read: null },
] as const)('“$typed” in $calendar', ({ typed, calendar, read }) => {
  expect(readTyped(typed, calendar)).toEqual(read)
})

test('a day of 2085 BS exists in both calendars', () => {
  expect(readTyped('2085-01-01', 'bs')).toEqual({ day: '2028-04-13' })
  expect(writtenIn('bs', '2028-04-13')).toBe('2085-01-01')
  expect(seemsOther('ad', '2085-01-01')).toBe(true)
  expect(seemsOther('bs', '2028-04-13')).toBe(false)
})

test('beyond the Bikram Sambat table nothing throws and no day is made up', () => {
  expect(bsEnd).toEqual({ year: 2090, day: '2034-04-13' })
  expect(writtenIn('bs', '2034-04-14')).toBeNull()
  expect(monthOf('bs', '2040-01-01')).toBeNull()
  expect(inMonths('bs', bsEnd.day, 1)).toBeNull()
  expect(saidIn('bs', '2040-01-01', 'en')).toBeNull()
  expect(textOf('2040-01-01', 'bs')).toBe('2040-01-01')
})

test('a month of either calendar has its own days', () => {
  expect(daysOf('ad', { year: 2028, month: 2 })).toHaveLength(29)
  const mangsir = daysOf('bs', { year: 2083, month: 8 })
  expect([mangsir[0], mangsir.at(-1)].map((day) => day && writtenIn('bs', day))).toEqual([
    '2083-08-01',
    `2083-08-${mangsir.length}`,
  ])
})

test('a month later is the last day of a shorter month', () => {
  expect(inMonths('ad', '2026-01-31', 1)).toBe('2026-02-28')
  expect(inMonths('ad', '2026-11-23', -12)).toBe('2025-11-23')
})

test('text that is no date is kept and is never a day', () => {
  const value = unreadable('2091-01-01')
  expect([isDay(value), textOf(value, 'bs')]).toEqual([false, '2091-01-01'])
})

test.each([
  { preset: 'today', calendar: 'ad', from: '2026-11-23', to: '2026-11-23' },
  { preset: 'yesterday', calendar: 'ad', from: '2026-11-22', to: '2026-11-22' },
  { preset: 'lastSevenDays', calendar: 'bs', from: '2026-11-17', to: '2026-11-23' },
  { preset: 'thisMonth', calendar: 'ad', from: '2026-11-01', to: '2026-11-30' },
  { preset: 'lastMonth', calendar: 'ad', from: '2026-10-01', to: '2026-10-31' },
  { preset: 'thisMonth', calendar: 'bs', from: '2026-11-17', to: '2026-12-15' },
] as const)('$preset in $calendar', ({ preset, calendar, from, to }) => {
  expect(presetRange(preset, '2026-11-23', calendar)).toEqual({ from, to })
})

test('months are AD’s for a day outside the Bikram Sambat table', () => {
  expect(presetRange('thisMonth', '2040-02-10', 'bs')).toEqual({ from: '2040-02-01', to: '2040-02-29' })
})
