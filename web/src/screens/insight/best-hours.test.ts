import { expect, test } from 'vitest'
import { bestHour, hoursOf, levelsOf } from './best-hours.ts'

const point = (time: string, attempts: number, answered: number) => ({ time, attempts, answered })

test('the best hour is the one in which most of the calls were answered, not the one with most calls', () => {
  const hours = hoursOf([point('0 10', 1000, 400), point('2 18', 50, 40), point('6 9', 20, 1)])
  expect(bestHour(hours)).toEqual({ day: 2, hour: 18, calls: 50, answered: 40 })
})

test('an hour with a handful of calls is not called the best', () => {
  expect(bestHour(hoursOf([point('0 10', 3, 3)]))).toBeNull()
})

test('hours have levels by quarters of the best share, and none without calls', () => {
  const levels = levelsOf(hoursOf([point('0 0', 10, 8), point('0 1', 10, 4), point('0 2', 10, 0)]))
  expect(levels.slice(0, 4)).toEqual([4, 2, 1, 0])
})
