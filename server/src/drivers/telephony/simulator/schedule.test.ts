import { expect, test } from 'vitest'
import { Schedule } from './schedule.ts'

test('the earliest comes first, equal times in order of insertion, and cancelled entries never run', () => {
  const schedule = new Schedule()
  const happened: number[] = []
  // a fixed shuffle with many equal times
  const dues = Array.from({ length: 5000 }, (_, i) => (i * 7919) % 977)
  const items = dues.map((due, i) => schedule.put(due, () => happened.push(i)))
  const kept = dues.map((due, i) => ({ due, i })).filter(({ i }) => i % 5 === 0)
  for (const [i, item] of items.entries()) if (i % 5 !== 0) schedule.cancel(item)
  for (let item = schedule.take(); item; item = schedule.take()) item.run?.()
  expect(happened).toEqual(kept.sort((a, b) => a.due - b.due || a.i - b.i).map(({ i }) => i))
  expect(schedule.nextDue).toBe(Infinity)
})
