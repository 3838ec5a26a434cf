import { dates, text } from '@ghanti/contract/filters.ts'
import { expect, test } from 'vitest'
import { readFilters } from './filters.ts'
import { isSameView, openView, viewIn } from './views.ts'

const declared = { raised: dates, cli: text }
const asked = (query: string) => {
  const params = new URLSearchParams(query)
  return { params, filters: { declared, ...readFilters(params, declared, ['customers'], ['-id']) } }
}

test('a view is filters, search and sort, without the page, what is the screen’s and what the list cannot have', () => {
  const { params, filters } = asked('raised=today&page=3&pageSize=50&customers=1&search=Tihar&sort=-id&colour=red&cli=')
  expect(viewIn(params, filters)).toBe('raised=today&search=Tihar&sort=-id')
  expect(filters.dropped.map(({ key }) => key)).toEqual(['colour'])
})

test('a sort by a column that no longer exists is no part of a view, and is reported', () => {
  const { params, filters } = asked('raised=today&sort=-colour')
  expect(viewIn(params, filters)).toBe('raised=today')
  expect(filters.dropped).toEqual([{ key: 'sort', value: '-colour', isKnown: false }])
})

test('opening a view keeps the page size and the screen’s own parameters, and nothing else', () => {
  const { params, filters } = asked('raised=today&page=3&pageSize=50&customers=1&search=Tihar&colour=red')
  expect(openView(params, 'cli=97', filters).toString()).toBe('pageSize=50&customers=1&cli=97')
  expect(openView(params, '', filters).toString()).toBe('pageSize=50&customers=1')
})

test('views that ask the same in another order are the same', () => {
  expect(isSameView('a=1&b=2%2C3', 'b=2,3&a=1')).toBe(true)
  expect(isSameView('a=1', 'a=1&b=2')).toBe(false)
})
