import { choices, dates } from '@ghanti/contract/filters.ts'
import { expect, test } from 'vitest'
import { readFilters, writeFilters } from './filters.ts'

const declared = { status: choices(['open', 'closed']), raised: dates }

test('filters are read beside what is the list’s own and the screen’s', () => {
  const params = new URLSearchParams('page=2&sort=name&search=x&customers=1&status=open,closed&raised=last7')
  expect(readFilters(params, declared, ['customers'])).toEqual({
    set: { status: 'open,closed', raised: 'last7' },
    dropped: [],
  })
})

test('unknown filters and invalid values are left out and named', () => {
  const { set, dropped } = readFilters(new URLSearchParams('colour=red&status=ajar&raised=today'), declared)
  expect(set).toEqual({ raised: 'today' })
  expect(dropped).toEqual([
    { key: 'colour', value: 'red', isKnown: false },
    { key: 'status', value: 'ajar', isKnown: true },
  ])
})

test('a change leads to the first page and leaves the rest as it is', () => {
  const params = new URLSearchParams('page=3&sort=name&status=open&raised=today')
  expect(writeFilters(params, { status: 'closed', raised: null }).toString()).toBe('sort=name&status=closed')
})
