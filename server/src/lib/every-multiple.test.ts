import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { everyMultiple } from './every-multiple.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('all with one period are due at the same moments, whenever they began, until they are ended', () => {
  const due: [string, number][] = []
  const note = (name: string) => () => due.push([name, Math.round(performance.now())])
  const start = performance.now()
  const endOne = everyMultiple(5000, note('one'))
  vi.advanceTimersByTime(1300)
  const endOther = everyMultiple(5000, note('other'))
  vi.advanceTimersByTime(8000)
  const moments = (name: string) => due.filter(([who]) => who === name).map(([, at]) => at)
  expect(moments('one').length).toBeGreaterThan(0)
  expect(moments('other')).toEqual(moments('one'))
  expect(moments('one').every((at) => at % 5000 === 0 && at > start)).toBe(true)
  endOne()
  vi.advanceTimersByTime(5000)
  expect(moments('other').length).toBe(moments('one').length + 1)
  endOther()
  vi.advanceTimersByTime(20_000)
  expect(moments('other').length).toBe(moments('one').length + 1)
})
