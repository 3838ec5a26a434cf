import { expect, test } from 'vitest'
import { nextHop } from './hops.ts'

const hop = (priority: number, weight = 1) => ({ host: '192.0.2.1', port: 5060, priority, weight })
const state = (reachable: boolean | null, avoidUntil = 0) => ({ reachable, avoidUntil })
const inOrder = [hop(0), hop(1), hop(2)]

test.each([
  { why: 'the first one, as long as nothing is known', states: [], takes: 0 },
  { why: 'one that answers before one of which it is not known yet', states: [state(null), state(true)], takes: 1 },
  { why: 'the next one when it does not answer', states: [state(false), state(true)], takes: 1 },
  {
    why: 'the next one when it failed a call just now',
    states: [state(true, 200), state(true), state(true)],
    takes: 1,
  },
  { why: 'the first one again, some time after', states: [state(true, 100), state(true)], takes: 0 },
  {
    why: 'one that failed before one that does not answer',
    states: [state(false), state(true, 200), state(false)],
    takes: 1,
  },
  { why: 'the first one when none answers', states: [state(false), state(false), state(false)], takes: 0 },
])('a call goes to $why', ({ states, takes }) => expect(nextHop(inOrder, states, 100, 0.5)).toBe(takes))

test('hosts of one priority share the calls by weight, and later ones get none', () => {
  const hops = [hop(10, 3), hop(10, 1), hop(20, 9)]
  const taken = Array.from({ length: 100 }, (_, n) => nextHop(hops, [], 0, n / 100))
  expect([0, 1, 2].map((one) => taken.filter((n) => n === one).length)).toEqual([75, 25, 0])
})
