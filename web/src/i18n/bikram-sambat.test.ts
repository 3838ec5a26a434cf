import { expect, test } from 'vitest'
import { bikramSambatOf } from './bikram-sambat.ts'

test('a day in both calendars', () => {
  expect(bikramSambatOf('2026-11-20', 'en')).toBe('2083 Mangsir 4')
  expect(bikramSambatOf('2026-11-20', 'ne')).toBe('२०८३ मङ्सिर ४')
})

test('a day outside the converter’s table has no BS date instead of an error', () => {
  expect(bikramSambatOf('2040-01-01', 'en')).toBeNull()
})
