import type { MessageInsight } from '@ghanti/contract/insight.ts'
import { bucketsOf } from '@ghanti/contract/insight-buckets.ts'
import { expect, test } from 'vitest'
import { isAhead, weekOf } from './series.ts'

const days = { from: '2026-11-21', to: '2026-11-22', before: { from: '2026-11-19', to: '2026-11-20' } }

test('hours that have not come yet are ahead, the one that runs is not', () => {
  const buckets = bucketsOf({ ...days, by: 'hour', series: [], seriesBefore: [] })
  expect(buckets.length).toBe(48)
  const ahead = buckets.filter(({ time }) => isAhead(time, '2026-11-22 10:30:00'))
  expect(ahead[0]?.time).toBe('2026-11-22 11:00:00')
})

test('hours of the week stand in rows of days, Sunday first', () => {
  const hours: Pick<MessageInsight['series'][number], 'time' | 'messages'>[] = [
    { time: '0 13', messages: 7 },
    { time: '6 0', messages: 2 },
  ]
  const week = weekOf(hours, ({ messages }: { messages: number }) => messages)
  expect([week[0]?.[13], week[6]?.[0], week[3]?.[3]]).toEqual([7, 2, 0])
})
