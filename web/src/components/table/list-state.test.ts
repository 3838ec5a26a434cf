import { expect, test } from 'vitest'
import { listQueryOf, pageNumbers, readListState, writeListState } from './list-state.ts'

const sort = ['-scheduleTime', 'campaignName'] as const

test('an address without parameters is the first page of ten by the default sort', () => {
  expect(readListState(new URLSearchParams(), sort)).toEqual({
    page: 1,
    pageSize: 10,
    sort: '-scheduleTime',
    search: '',
  })
})

test.each(['page=0', 'page=x', 'page=1.5', 'page=99999', 'pageSize=7', 'pageSize=1000', 'sort=password', 'sort='])(
  'a mistyped %s falls back to the default',
  (typed) =>
    expect(readListState(new URLSearchParams(typed), sort)).toEqual(readListState(new URLSearchParams(), sort)),
)

test('the address keeps only what differs from the default, and what others put there', () => {
  const params = writeListState(new URLSearchParams('disposition=BUSY&page=3'), { page: 1, sort: 'campaignName' }, sort)
  expect(params.toString()).toBe('disposition=BUSY&sort=campaignName')
})

test('searching or sorting goes back to the first page', () => {
  expect(writeListState(new URLSearchParams('page=3'), { search: 'dashain' }, sort).toString()).toBe('search=dashain')
})

test('a loader requests the same as its screen', () => {
  expect(listQueryOf(new URL('http://x/?page=2&pageSize=25&sort=-campaignName&search=98'), sort)).toEqual({
    page: 2,
    pageSize: 25,
    sort: 'campaignName',
    order: 'desc',
    search: '98',
  })
})

test.each([
  { page: 1, last: 1, shown: [1] },
  { page: 3, last: 5, shown: [1, 2, 3, 4, 5] },
  { page: 1, last: 24, shown: [1, 2, 3, 4, 5, null, 24] },
  { page: 4, last: 24, shown: [1, 2, 3, 4, 5, null, 24] },
  { page: 12, last: 24, shown: [1, null, 11, 12, 13, null, 24] },
  { page: 24, last: 24, shown: [1, null, 20, 21, 22, 23, 24] },
])('page $page of $last offers $shown', ({ page, last, shown }) => expect(pageNumbers(page, last)).toEqual(shown))
