import type { CallInsight } from '@ghanti/contract/insight.ts'
import { expect, test } from 'vitest'
import { todayOf } from './today.ts'

const point = (time: string, attempts: number, answered: number): CallInsight['series'][number] => ({
  time,
  attempts,
  answered,
  busy: 0,
  noAnswer: 0,
  failed: 0,
  keyed: 0,
  pulses: 0,
  cost: answered / 2,
  asr: attempts === 0 ? null : (100 * answered) / attempts,
  acd: null,
  pdd: null,
})

test('today is compared with yesterday up to the same hour, and every hour of both is shown', () => {
  const series = [point('2026-11-22 09:00:00', 10, 4)]
  const seriesBefore = [point('2026-11-21 09:00:00', 6, 3), point('2026-11-21 18:00:00', 50, 20)]
  const today = todayOf({ series, seriesBefore }, 10)
  expect(today.now).toEqual({ calls: 10, answered: 4, asked: 10, cost: 2 })
  expect(today.before).toMatchObject({ calls: 6, answered: 3, cost: 1.5 })
  expect(today.hours).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0])
  expect([today.hoursBefore[9], today.hoursBefore[18], today.hoursBefore.length]).toEqual([6, 50, 24])
})
