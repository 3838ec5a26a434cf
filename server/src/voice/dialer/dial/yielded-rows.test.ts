import { expect, test, vi } from 'vitest'
import { newOtherDialer } from '../../testing/decide.ts'
import { YieldedRows } from './yielded-rows.ts'

const carrying = newOtherDialer({})
const lost = newOtherDialer({ carries: false, cause: 'dialer', reason: 'lost' })
const unreported = newOtherDialer({ carries: false, unreported: true })
const soundless = newOtherDialer({
  carries: false,
  cause: 'prompts',
  reason: 'its prompts are being brought to the dialer',
})
const route = [{ trunkId: 1, priority: 1, weight: 1, costPaisa: 0 }]

const call = { plan: { campaignId: 7 }, attempt: { stream: 0 } } as never

test.each([
  { why: 'no other carries the campaign’s calls', others: [lost], to: 0 },
  { why: 'one does', others: [carrying, lost], to: 1 },
  { why: 'one has not said so yet', others: [unreported, lost], to: 1 },
  { why: 'one waits for its sounds', others: [soundless, lost], to: 1 },
  { why: 'two do', others: [carrying, lost, carrying], to: 2 },
  { why: 'many do', others: Array.from({ length: 9 }, () => carrying), to: 3 },
])('a row may be yielded to as many other dialers as carry or soon may, three at most: $why', ({ others, to }) => {
  const rows = new YieldedRows()
  expect(rows.othersFor(call), 'a campaign without a route').toBe(0)
  rows.routesAre([{ id: 7, trunk_id: 1, route, streams: null, others: [...others] } as never])
  expect(rows.othersFor(call)).toBe(to)
})

test('a row that no dialer carries yet is kept for one that is about to, ten seconds at most, and three from when that one does', () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  try {
    const campaign = { id: 7, trunk_id: 1, route, streams: null }
    const keptMs = (others: (afterMs: number) => typeof carrying): number => {
      const rows = new YieldedRows()
      const tick = (ms: number): void => rows.routesAre([{ ...campaign, others: [others(ms)] } as never])
      tick(0)
      rows.yieldRow(call)
      for (let ms = 0; ; ms += 250) {
        tick(ms)
        if (rows.yieldsQueueFrom(7, null) === null) return ms
        vi.advanceTimersByTime(250)
      }
    }
    expect(keptMs(() => carrying)).toBe(3000)
    expect(keptMs(() => unreported)).toBe(10_000)
    expect(keptMs((ms) => (ms < 5000 ? soundless : carrying))).toBe(4750 + 3000)
    expect(keptMs((ms) => (ms < 1000 ? unreported : lost))).toBe(750 + 3000)
  } finally {
    vi.useRealTimers()
  }
})

test('others are told of what was yielded, by operator where rows are', () => {
  const rows = new YieldedRows()
  const streams = [1, 2].map((stream) => ({ stream }))
  rows.routesAre([{ id: 7, trunk_id: 1, route, streams, others: [{ ...carrying, steps: [{ open: true }] }] } as never])
  const ofSecond = { plan: { campaignId: 7 }, attempt: { stream: 2 } } as never
  expect(rows.yieldedOf({ id: 7, streams } as never)).toBeNull()
  for (let n = 0; n < 3; n++) rows.yieldRow(ofSecond)
  expect(rows.yieldedOf({ id: 7, streams } as never)).toEqual({ 2: 3 })
  expect(rows.yieldsQueueFrom(7, 1)).toBeNull()
  const sinceMs = Date.now() - (rows.yieldsQueueFrom(7, 2) ?? 0) / 1000
  expect([sinceMs >= 1000, sinceMs < 3000], 'what was due before is still for this dialer').toEqual([true, true])
})

test('others are told that all is yielded after ten in a row, until a call that rang ends', () => {
  const rows = new YieldedRows()
  const campaign = { id: 7, trunk_id: 1, route, streams: null, others: [carrying] } as never
  rows.routesAre([campaign])
  const after = (calls: number) => {
    for (let n = 0; n < calls; n++) rows.yieldRow(call)
    return rows.yieldedOf(campaign)
  }
  expect([after(9), after(1), after(1)]).toEqual([{ 0: 9 }, { 0: 'all' }, { 0: 'all' }])
  rows.rang(call)
  expect([after(0), after(1)]).toEqual([{ 0: 11 }, { 0: 12 }])
})
