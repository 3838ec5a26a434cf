import { expect, test, vi } from 'vitest'
import { newOtherDialer } from '../testing/decide.ts'
import { Detours } from './detours.ts'

const carrying = newOtherDialer({})
const lost = newOtherDialer({ carries: false, cause: 'dialer', reason: 'lost' })
const unreported = newOtherDialer({ carries: false, unreported: true })
const soundless = newOtherDialer({
  carries: false,
  cause: 'prompts',
  reason: 'its prompts are being brought to the dialer',
})
const route = [{ trunkId: 1, priority: 1, weight: 1, costPaisa: 0 }]

/** Whether the row of a call that its trunk did not carry is left to the others, by how often it met congestion before. */
function left(others: readonly (typeof lost)[]): boolean[] {
  const detours = new Detours({} as never)
  detours.routesAre([{ id: 7, trunk_id: 1, route, streams: null, others: [...others] } as never])
  return [0, 1, 2, 3, 4, 5].map((congestions) => {
    const call = {
      plan: { campaignId: 7, flow: {} },
      attempt: { congestions, stream: 0 },
      carried: false,
      cancelled: false,
    }
    return detours.leavesToOthers(call as never, {} as never, { disposition: 'CONGESTION' } as never)
  })
}

test.each([
  { why: 'no other carries the campaign’s calls', others: [lost], waits: [0, 1, 2, 3, 4, 5] },
  { why: 'one does', others: [carrying, lost], waits: [1, 3, 5] },
  { why: 'one has not said so yet', others: [unreported, lost], waits: [1, 3, 5] },
  { why: 'one waits for its sounds', others: [soundless, lost], waits: [1, 3, 5] },
  { why: 'two do', others: [carrying, lost, carrying], waits: [2, 5] },
  { why: 'many do', others: Array.from({ length: 9 }, () => carrying), waits: [3] },
])(
  'a row goes on at once over as many other dialers as there are, three at most, waits, and goes round again: $why',
  ({ others, waits }) => {
    expect(left(others)).toEqual([0, 1, 2, 3, 4, 5].map((congestions) => !waits.includes(congestions)))
  },
)

test('a row that no dialer carries yet is kept for one that is about to, ten seconds at most, and three from when that one does', () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  try {
    const campaign = { id: 7, trunk_id: 1, route, streams: null }
    const keptMs = (others: (afterMs: number) => typeof carrying): number => {
      const detours = new Detours({} as never)
      const tick = (ms: number): void => detours.routesAre([{ ...campaign, others: [others(ms)] } as never])
      tick(0)
      const call = { plan: { campaignId: 7, flow: {} }, attempt: { congestions: 0, stream: 0 } }
      const ended = { disposition: 'CONGESTION' }
      expect(detours.leavesToOthers(call as never, {} as never, ended as never)).toBe(true)
      for (let ms = 0; ; ms += 250) {
        tick(ms)
        if (detours.leavesQueueFrom(7, null) === null) return ms
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

test('a call that rang, or that nobody’s trunk failed, is left to nobody', () => {
  const detours = new Detours({} as never)
  detours.routesAre([{ id: 7, trunk_id: 1, route, streams: null, others: [carrying] } as never])
  const call = {
    plan: { campaignId: 7, flow: {} },
    attempt: { congestions: 0, stream: 0 },
    carried: false,
    cancelled: false,
  }
  const leaves = (of: object, disposition = 'CONGESTION'): boolean =>
    detours.leavesToOthers({ ...call, ...of } as never, {} as never, { disposition } as never)
  expect([leaves({}), leaves({ carried: true }), leaves({ cancelled: true }), leaves({}, 'BUSY')]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('others are told of what was left, by operator where rows are', () => {
  const detours = new Detours({} as never)
  const streams = [1, 2].map((stream) => ({ stream }))
  detours.routesAre([
    { id: 7, trunk_id: 1, route, streams, others: [{ ...carrying, steps: [{ open: true }] }] } as never,
  ])
  const call = {
    plan: { campaignId: 7, flow: {} },
    attempt: { congestions: 0, stream: 2 },
    carried: false,
    cancelled: false,
  }
  expect(detours.leftOf({ id: 7, streams } as never)).toBeNull()
  for (let n = 0; n < 3; n++)
    expect(detours.leavesToOthers(call as never, {} as never, { disposition: 'CONGESTION' } as never)).toBe(true)
  expect(detours.leftOf({ id: 7, streams } as never)).toEqual({ 2: 3 })
  expect(detours.leavesQueueFrom(7, 1)).toBeNull()
  const sinceMs = Date.now() - (detours.leavesQueueFrom(7, 2) ?? 0) / 1000
  expect([sinceMs >= 1000, sinceMs < 3000], 'what was due before is still for this dialer').toEqual([true, true])
})

test('others are told that all is left after ten in a row, until a call that rang ends', () => {
  const detours = new Detours({ mayDial: () => false } as never)
  const campaign = { id: 7, trunk_id: 1, route, streams: null, others: [carrying] } as never
  detours.routesAre([campaign])
  const call = { plan: { campaignId: 7, flow: {} }, attempt: { congestions: 0, stream: 0 } }
  const congested = { disposition: 'CONGESTION' } as never
  const after = (calls: number) => {
    for (let n = 0; n < calls; n++) detours.leavesToOthers(call as never, {} as never, congested)
    return detours.leftOf(campaign)
  }
  expect([after(9), after(1), after(1)]).toEqual([{ 0: 9 }, { 0: 'all' }, { 0: 'all' }])
  detours.take({ ...call, carried: true } as never, {} as never, null, () => undefined)
  expect([after(0), after(1)]).toEqual([{ 0: 11 }, { 0: 12 }])
})
