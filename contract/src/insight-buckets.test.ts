import { expect, test } from 'vitest'
import { bucketsOf } from './insight-buckets.ts'
import type { MessageInsight } from './insight.ts'

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
  const buckets = bucketsOf({ ...days, by: 'day', series, seriesBefore })
  expect(buckets.map(({ time, now, before }) => [time, now?.messages, before?.messages])).toEqual([
    ['2026-11-21', undefined, 3],
    ['2026-11-22', 5, undefined],
  ])
})

test('an hour of the week stands beside the same hour of the weeks before', () => {
  const buckets = bucketsOf({ ...days, by: 'weekday', series: [point('6 23', 5)], seriesBefore: [point('6 23', 3)] })
  expect(buckets).toHaveLength(168)
  expect(buckets.at(-1)).toMatchObject({ time: '6 23', now: { messages: 5 }, before: { messages: 3 } })
})
