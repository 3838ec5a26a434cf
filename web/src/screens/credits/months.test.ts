import { expect, test } from 'vitest'
import { lastMonths, monthAsked, monthNotOffered } from './months.ts'

test('the months are Nepal’s, newest first, across the turn of the year', () => {
  const months = lastMonths(new Date('2026-01-31T18:20:00Z'))
  expect(months.slice(0, 3)).toEqual(['2026-02', '2026-01', '2025-12'])
  expect(months.at(-1)).toBe('2024-03')
  expect(monthAsked('2025-12', months)).toBe('2025-12')
  expect(monthAsked('x', months)).toBe('2026-02')
  expect(monthAsked(null, months)).toBe('2026-02')
  expect(monthNotOffered('2085-01', months)).toBe('2085-01')
  expect([null, '', '2025-12'].map((asked) => monthNotOffered(asked, months))).toEqual([null, null, null])
})
