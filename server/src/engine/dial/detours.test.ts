import { expect, test } from 'vitest'
import { newOtherDialer } from '../testing/decide.ts'
import { Detours } from './detours.ts'

const carrying = newOtherDialer({})
const lost = newOtherDialer({ carries: false, cause: 'dialer', reason: 'lost' })
const route = [{ trunkId: 1, priority: 1, weight: 1, costPaisa: 0 }]

/** Whether the row of a call that its trunk did not carry is left to the others, by how often it met congestion before. */
function left(others: readonly (typeof lost)[]): boolean[] {
  const detours = new Detours({} as never)
  detours.routesAre([{ id: 7, trunk_id: 1, route, streams: null, others: [...others] } as never])
  return [0, 1, 2, 3, 4].map((congestions) => {
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
  { why: 'no other carries the campaign’s calls', others: [lost], is: 0 },
  { why: 'one does', others: [carrying, lost], is: 1 },
  { why: 'two do', others: [carrying, lost, carrying], is: 2 },
  { why: 'many do: the row may still wait three times', others: Array.from({ length: 9 }, () => carrying), is: 3 },
])('a row goes on over the other dialers at once as often as there are any: $why', ({ others, is }) => {
  expect(left(others)).toEqual([0, 1, 2, 3, 4].map((congestions) => congestions < is))
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
