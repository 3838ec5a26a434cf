import { expect, test } from 'vitest'
import { nextTrunk, type RouteStep } from '../../../dispatch/turns/route-step.ts'
import { stepsOf, trunkIdsOf } from './route.ts'

const step = (trunkId: number, priority: number, weight = 1, costPaisa = 0): RouteStep => ({
  trunkId,
  priority,
  weight,
  costPaisa,
})

test.each([
  { why: 'without a route, the trunk of the caller ID', route: null, ids: [9] },
  { why: 'a route none of whose trunks is left, too', route: [], ids: [9] },
  { why: 'by priority, then the heavier first', route: [step(1, 2), step(2, 1), step(3, 1, 5)], ids: [3, 2, 1] },
  { why: 'the cheaper before the heavier', route: [step(1, 2), step(2, 1, 1, 10), step(3, 1, 5, 20)], ids: [2, 3, 1] },
])('$why', ({ route, ids }) => {
  expect(trunkIdsOf({ trunk_id: 9, route })).toEqual(ids)
})

test.each([
  { why: 'a number’s own trunk before the one for all, whatever their order', stream: 1, ids: [2, 1] },
  { why: 'another operator’s trunk never', stream: 2, ids: [3, 1] },
  { why: 'without a trunk of its own, the one for all', stream: 0, ids: [1] },
  { why: 'rows that were not numbered by operator, too', stream: null, ids: [1] },
])('by operator: $why', ({ stream, ids }) => {
  const route = [step(1, 1), { ...step(2, 2), operators: [1] }, { ...step(3, 3), operators: [2, 3] }]
  expect(stepsOf({ trunk_id: 9, route }, stream).map(({ trunkId }) => trunkId)).toEqual(ids)
  const inTurn = stepsOf({ trunk_id: 9, route }, stream)
  expect(nextTrunk(inTurn, { room: () => 1, inUse: () => 0 })).toBe(ids[0])
})

test('where every trunk names operators, rows that were not numbered by operator take any', () => {
  const route = [
    { ...step(2, 2), operators: [1] },
    { ...step(3, 1), operators: [0, 2, 3] },
  ]
  expect(stepsOf({ trunk_id: 9, route }, null).map(({ trunkId }) => trunkId)).toEqual([3, 2])
})

test('no number goes over a trunk for others while its own is on another dialer, and none that was not numbered over a trunk for some', () => {
  const route = [{ ...step(2, 2), operators: [1] }]
  const elsewhere = (operators: number[] | null) => [{ steps: [{ operators }] }]
  expect(stepsOf({ trunk_id: 9, route, others: elsewhere([0, 2, 3]) }, 2)).toEqual([])
  expect(stepsOf({ trunk_id: 9, route, others: elsewhere(null) }, null)).toEqual([])
  expect(stepsOf({ trunk_id: 9, route, others: elsewhere([0, 2, 3]) }, null)).toMatchObject([{ trunkId: 2 }])
  expect(trunkIdsOf({ trunk_id: 9, route, others: elsewhere(null) })).toEqual([])
})

test('a campaign’s trunks are those of the operators whose rows are left', () => {
  const route = [
    { ...step(2, 2), operators: [1] },
    { ...step(3, 1), operators: [0, 2, 3] },
  ]
  const rows = { next_due_no: null, retry_due: false, next_put_off: null, reason: null }
  const streams = [
    { ...rows, stream: 1, fresh_left: 0, next_due_us: 5 },
    { ...rows, stream: 2, fresh_left: 0, next_due_us: null },
  ]
  expect(trunkIdsOf({ trunk_id: 9, route, streams })).toEqual([2])
})

test.each([
  { why: 'the lowest priority that has room', room: { 1: 1, 2: 5, 3: 5 }, inUse: {}, next: 1 },
  { why: 'the next one when that is full', room: { 1: 0, 2: 5, 3: 5 }, inUse: { 2: 3 }, next: 3 },
  {
    why: 'by weight: two thirds of the calls for the double one',
    room: { 2: 5, 3: 5 },
    inUse: { 2: 3, 3: 5 },
    next: 3,
  },
  { why: 'and the other way when it has its share', room: { 2: 5, 3: 5 }, inUse: { 2: 3, 3: 7 }, next: 2 },
  { why: 'none when all are full', room: {}, inUse: {}, next: undefined },
])('$why', ({ room, inUse, next }) => {
  const steps = stepsOf({ trunk_id: 1, route: [step(1, 1), step(2, 2, 1), step(3, 2, 2)] }, null)
  const [rooms, used]: Record<number, number>[] = [room, inUse]
  const of = { room: (id: number) => rooms?.[id] ?? 0, inUse: (id: number) => used?.[id] ?? 0 }
  expect(nextTrunk(steps, of)).toBe(next)
})

test.each([
  {
    why: 'the cheapest of an order carries the calls, however heavy the others are',
    room: { 1: 1, 2: 5, 3: 5 },
    next: 2,
  },
  { why: 'when it is full, the next cheapest of this order', room: { 1: 1, 2: 0, 3: 5, 4: 5 }, next: 1 },
  { why: 'and only then another order, though it is cheaper', room: { 4: 5 }, next: 4 },
])('$why', ({ room, next }) => {
  const steps = [step(1, 1, 1, 60), step(2, 1, 1, 50), step(3, 1, 100, 80), step(4, 2, 1, 0)]
  const rooms: Record<number, number> = room
  expect(nextTrunk(steps, { room: (id) => rooms[id] ?? 0, inUse: () => 0 })).toBe(next)
})
