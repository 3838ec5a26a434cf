import { expect, test } from 'vitest'
import { pageRows, Prefetch, type PrefetchedRow } from './prefetch.ts'

const sound = (of: string) => ({ hash: of, path: `/${of}`, durationMs: 1, of })
const fresh = (rowNo: number): PrefetchedRow => ({ rowNo, dueUs: null, sounds: [sound(`row ${rowNo}`)] })
const due = (dueUs: number, rowNo: number): PrefetchedRow => ({ ...fresh(rowNo), dueUs })
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n)
const there =
  (...rowNos: number[]) =>
  (hash: string): boolean =>
    rowNos.some((rowNo) => hash === `row ${rowNo}`)
const emptyQueue = { next_due_us: null, next_due_no: null, retry_due: false }
const waiting = (next_due_us: number, next_due_no: number) => ({ next_due_us, next_due_no, retry_due: true })

test('before anything is read nothing may be claimed', () => {
  const ahead = new Prefetch()
  const campaign = { fresh_left: 100, ...waiting(5, 1) }
  expect(ahead.wantsMore(campaign)).toBe(true)
  expect(ahead.hasProven(campaign)).toBe(false)
  expect(ahead.proven).toEqual({ freshTo: 0, queueTo: { dueUs: 0, rowNo: -1 } })
})

test('fresh rows are claimed up to the first that lacks a sound; when it is there, on', () => {
  const ahead = new Prefetch()
  ahead.add({ fresh: numbers(3, 8).map(fresh), freshTo: 8, freshEnd: 8, queue: [] })
  ahead.advance(there(3, 4, 6, 7))
  expect(ahead.proven.freshTo).toBe(5)
  expect([...ahead.unproven()].map((one) => one.hash)).toEqual(['row 5', 'row 6', 'row 7'])
  expect(ahead.hasProven({ fresh_left: 5, ...emptyQueue })).toBe(true)
  expect(ahead.hasProven({ fresh_left: 3, ...emptyQueue })).toBe(false)
  ahead.advance(there(5, 6, 7))
  expect(ahead.proven.freshTo).toBe(8)
  expect([...ahead.unproven()]).toEqual([])
})

test('rows of the queue that are due at the same time are distinguished by their numbers', () => {
  const ahead = new Prefetch()
  ahead.add({ fresh: [], freshTo: 0, freshEnd: 0, queue: [due(7, 1), due(7, 2), due(7, 3)] })
  ahead.advance(there(1, 3))
  expect(ahead.proven.queueTo).toEqual({ dueUs: 7, rowNo: 1 })
  expect(ahead.hasProven({ fresh_left: 0, ...waiting(7, 1) })).toBe(true)
  expect(ahead.hasProven({ fresh_left: 0, ...waiting(7, 2) })).toBe(false)
  expect(ahead.wantsMore({ fresh_left: 0, ...waiting(7, 3) })).toBe(false)
  expect(ahead.wantsMore({ fresh_left: 0, ...waiting(7, 4) })).toBe(true)
  expect(ahead.wantsMore({ fresh_left: 0, ...waiting(7, 4), retry_due: false })).toBe(false)
})

test('a page that was cut before a row ends there, and the next one begins with it', () => {
  const ahead = new Prefetch()
  ahead.add({ fresh: [fresh(0)], freshTo: 1, freshEnd: 9, queue: [due(2, 20)] })
  ahead.advance(() => true)
  expect(ahead.proven).toEqual({ freshTo: 1, queueTo: { dueUs: 2, rowNo: 20 } })
  expect(ahead.read).toEqual(ahead.proven)
  expect(ahead.wantsMore({ fresh_left: 8, ...emptyQueue })).toBe(true)
})

test('the next page is asked for when half of one is called, and none when all is read', () => {
  const ahead = new Prefetch()
  const freshEnd = pageRows + 10
  ahead.add({ fresh: numbers(0, pageRows).map(fresh), freshTo: pageRows, freshEnd, queue: [] })
  ahead.advance(() => true)
  expect(ahead.wantsMore({ fresh_left: freshEnd, ...emptyQueue })).toBe(false)
  expect(ahead.wantsMore({ fresh_left: freshEnd - pageRows / 2 - 1, ...emptyQueue })).toBe(true)
  ahead.add({ fresh: numbers(pageRows, freshEnd).map(fresh), freshTo: freshEnd, freshEnd, queue: [] })
  ahead.advance(() => true)
  expect(ahead.wantsMore({ fresh_left: 1, ...emptyQueue })).toBe(false)
  expect(ahead.proven.freshTo).toBe(freshEnd)
})
