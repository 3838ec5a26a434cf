import { expect, test } from 'vitest'
import { distribute, firstTurn, RateLimiter, type Capacity, type Demand } from './pacing.ts'

const over = (...trunkIds: number[]): Demand['streams'] => [stream(null, trunkIds)]
const stream = (id: number | null, trunkIds: readonly number[], rows = Infinity) => ({
  stream: id,
  rows,
  route: trunkIds.map((trunkId, at) => ({ trunkId, priority: at + 1, weight: 1, costPaisa: 0 })),
})
const demand = (campaignId: number, userId: number, wanted = 100, more: Partial<Demand> = {}): Demand => ({
  campaignId,
  userId,
  wanted,
  streams: over(1),
  clisOver: () => [campaignId],
  ...more,
})
const room = (dialer: number, of: { trunk?: number; cli?: number } = {}): Capacity => ({
  dialer,
  trunks: new Map([1, 2].map((id) => [id, of.trunk ?? 1000])),
  inUse: new Map(),
  clis: new Map(Array.from({ length: 20 }, (_, id) => [id, of.cli ?? 1000])),
})
const shares = (demands: Demand[], of: Capacity): [number, number][] =>
  distribute(demands, of, firstTurn)
    .portions.map(({ campaignId, calls }): [number, number] => [campaignId, calls])
    .toSorted((a, b) => a[0] - b[0])

test.each<{ why: string; demands: Demand[]; of: Capacity; is: [number, number][] }>([
  {
    why: 'users get the same, not campaigns',
    demands: [demand(1, 1), demand(2, 1), demand(3, 1), demand(4, 2)],
    of: room(6),
    is: [
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 3],
    ],
  },
  {
    why: 'what one does not want the others get',
    demands: [demand(1, 1, 1), demand(2, 2)],
    of: room(10),
    is: [
      [1, 1],
      [2, 9],
    ],
  },
  {
    why: 'a full trunk stops its users only',
    demands: [demand(1, 1), demand(2, 2, 5, { streams: over(2) })],
    of: room(10, { trunk: 3 }),
    is: [
      [1, 3],
      [2, 3],
    ],
  },
  {
    why: 'a CLI’s channels bound the campaigns that show it',
    demands: [demand(1, 1, 9, { clisOver: () => [5] }), demand(2, 1, 9, { clisOver: () => [5] })],
    of: room(10, { cli: 3 }),
    is: [
      [1, 2],
      [2, 1],
    ],
  },
  {
    why: 'a route’s second trunk carries what the first has no room for',
    demands: [demand(1, 1, 9, { streams: over(1, 2) })],
    of: room(10, { trunk: 4 }),
    is: [
      [1, 4],
      [1, 4],
    ],
  },
  {
    why: 'calls of a group show those of its caller IDs that have channels left',
    demands: [demand(1, 1, 9, { clisOver: () => [5, 6] }), demand(2, 2, 9, { clisOver: () => [5] })],
    of: room(10, { cli: 3 }),
    is: [
      [1, 4],
      [2, 2],
    ],
  },
  {
    why: 'a trunk that may show no caller ID with a channel left leaves the calls to the next',
    demands: [demand(1, 1, 9, { streams: over(1, 2), clisOver: (trunkId) => (trunkId === 1 ? [5] : [5, 6]) })],
    of: room(10, { cli: 3 }),
    is: [
      [1, 3],
      [1, 3],
    ],
  },
  { why: 'no room, no calls', demands: [demand(1, 1)], of: room(0), is: [] },
  {
    why: 'a trunk that is not there has no room',
    demands: [demand(1, 1, 5, { streams: over(9) })],
    of: room(5),
    is: [],
  },
])('$why', ({ demands, of, is }) => expect(shares(demands, of)).toEqual(is))

test('one call a tick goes round users, and round the campaigns of each', () => {
  let round = firstTurn
  const order: number[] = []
  for (let tick = 0; tick < 8; tick++) {
    const next = distribute([demand(1, 1), demand(2, 1), demand(3, 2), demand(4, 3)], room(1), round)
    round = next.round
    order.push(...next.portions.map(({ campaignId }) => campaignId))
  }
  expect(order).toEqual([1, 3, 4, 2, 3, 4, 1, 3])
})

test.each([{ cps: 1 }, { cps: 7 }, { cps: 10 }, { cps: 333 }])(
  '$cps calls a second: no second has more, however late we come, and over time hardly fewer begin',
  ({ cps }) => {
    const limiter = new RateLimiter(0)
    const dialled: number[] = []
    let now = 0
    for (let n = 0; n < 10_000; n++) {
      now += n % 50 === 0 ? 200 : 5 + (n % 3) // looked at every few ms, now and then late
      for (; limiter.mayBegin(cps, now); limiter.begins(now)) dialled.push(now)
    }
    for (const [i, at] of dialled.entries()) expect((dialled[i + cps] ?? Infinity) - at).toBeGreaterThanOrEqual(1000)
    expect(dialled.length).toBeGreaterThan((now / 1000) * cps * 0.9)
  },
)

test.each([
  { why: 'what the next 250 ms bring', cps: 100, afterMs: 0, room: 25 },
  { why: 'and what a tick missed', cps: 100, afterMs: 60_000, room: 50 },
  { why: 'one a second: claimed when it can begin within the tick', cps: 1, afterMs: 800, room: 1 },
  { why: 'not before', cps: 1, afterMs: 700, room: 0 },
  { why: 'reduced to nothing', cps: 0, afterMs: 60_000, room: 0 },
])('$why: $room', ({ cps, afterMs, room }) => {
  expect(new RateLimiter(0).roomWithin(cps, 250, afterMs)).toBe(room)
})

test('legs taken beyond the room are owed', () => {
  const limiter = new RateLimiter(0)
  expect(limiter.mayBegin(4, 1000)).toBe(true)
  for (let n = 0; n < 4; n++) limiter.begins(1000)
  expect(limiter.roomWithin(4, 250, 1100)).toBe(0)
  expect(limiter.mayBegin(4, 1400)).toBe(false)
  expect(limiter.mayBegin(4, 2000)).toBe(true)
})

test('a stream whose trunk is full does not stand in front of the others, and each has its turn', () => {
  const streams = [stream(0, [9]), stream(1, [1]), stream(2, [2]), stream(3, [2], 1)]
  const { portions: made, round } = distribute([demand(1, 1, 100, { streams })], room(10, { trunk: 4 }), firstTurn)
  expect(made).toEqual([
    { campaignId: 1, stream: 1, trunkId: 1, calls: 4 },
    { campaignId: 1, stream: 2, trunkId: 2, calls: 3 },
    { campaignId: 1, stream: 3, trunkId: 2, calls: 1 }, // it has no more rows
  ])
  expect(round.streams.get(1)).toBe(1)
})

test('at one call a tick the streams of a campaign take turns, and count as one campaign', () => {
  let round = firstTurn
  const order: string[] = []
  for (let tick = 0; tick < 8; tick++) {
    const streams = [stream(1, [1]), stream(2, [1])]
    const made = distribute([demand(1, 1, 9, { streams }), demand(2, 1, 9)], room(1), round)
    round = made.round
    order.push(...made.portions.map(({ campaignId, stream }) => `${campaignId} ${stream}`))
  }
  expect(order).toEqual(['1 1', '2 null', '1 2', '2 null', '1 1', '2 null', '1 2', '2 null'])
})
