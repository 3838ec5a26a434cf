import type { MessageInsight } from '@ghanti/contract/insight.ts'
import { expect, test } from 'vitest'
import { bucketsOf, weekOf } from './series.ts'

const point = (time: string, messages: number): MessageInsight['series'][number] => ({
  time,
  messages,
  accepted: 0,
  delivered: 0,
  refused: 0,
  segments: 0,
  cost: 0,
})
const days = { from: '2026-11-21', to: '2026-11-22', before: { from: '2026-11-19', to: '2026-11-20' } }

test('every day of the range is there, beside the one in its place before', () => {
  const series = [point('2026-11-22', 5)]
  const seriesBefore = [point('2026-11-19', 3)]
  const buckets = bucketsOf({ ...days, by: 'day', series, seriesBefore }, '2026-11-22 10:00:00')
  expect(buckets.map(({ time, now, before }) => [time, now?.messages, before?.messages])).toEqual([
    ['2026-11-21', undefined, 3],
    ['2026-11-22', 5, undefined],
  ])
})

test('hours that have not come yet are ahead, the one that runs is not', () => {
  const buckets = bucketsOf({ ...days, by: 'hour', series: [], seriesBefore: [] }, '2026-11-22 10:30:00')
  expect(buckets.length).toBe(48)
  expect(buckets.filter(({ isAhead }) => isAhead).map(({ time }) => time)[0]).toBe('2026-11-22 11:00:00')
})

test('hours of the week stand in rows of days, Sunday first', () => {
  const week = weekOf([point('0 13', 7), point('6 0', 2)], ({ messages }: { messages: number }) => messages)
  expect([week[0]?.[13], week[6]?.[0], week[3]?.[3]]).toEqual([7, 2, 0])
})
