import { expect, test } from 'vitest'
import { bikramSambatOf, dayInWords } from './bikram-sambat.ts'

test('a day in both calendars', () => {
  expect(bikramSambatOf('2026-11-20', 'en')).toBe('2083 Mangsir 4')
  expect(bikramSambatOf('2026-11-20', 'ne')).toBe('२०८३ मङ्सिर ४')
})

test('a day outside the converter’s table has no BS date instead of an error', () => {
  expect(bikramSambatOf('2040-01-01', 'en')).toBeNull()
})

test('a day in words of either calendar and language, with or without its weekday', () => {
  expect(dayInWords('2026-11-29', 'en', 'ad', true)).toBe('Sunday, 29 November 2026')
  expect(dayInWords('2026-11-29', 'en', 'bs', false)).toBe('13 Mangsir 2083')
  expect(dayInWords('2026-11-29', 'ne', 'bs', true)).toBe('आइतबार, २०८३ मङ्सिर १३')
  expect(dayInWords('2040-01-01', 'ne', 'bs', true)).toBeNull()
})
