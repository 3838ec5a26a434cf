import { expect, test } from 'vitest'
import { hasOther, nameOf, nextHop } from './hops.ts'

const hop = (priority: number, weight = 1) => ({ host: `192.0.2.${priority}`, port: 5060, priority, weight })
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
])('a call goes to $why', ({ states, takes }) =>
  expect(nextHop(inOrder, states, { now: 100, random: 0.5 })).toBe(takes),
)

test('hosts of one priority share the calls by weight, and later ones get none', () => {
  const hops = [hop(10, 3), hop(10, 1), hop(20, 9)]
  const taken = Array.from({ length: 100 }, (_, n) => nextHop(hops, [], { now: 0, random: n / 100 }))
  expect([0, 1, 2].map((one) => taken.filter((n) => n === one).length)).toEqual([75, 25, 0])
})

test('an attempt calls each host once, also one that failed another call just now; then none is left', () => {
  const states = [state(true), state(true, 200), state(true, 200)]
  const tried: string[] = []
  const taken = Array.from({ length: 4 }, () => {
    const n = nextHop(inOrder, states, { now: 100, random: 0.5, tried })
    tried.push(...inOrder.filter((_, at) => at === n).map(nameOf))
    return n
  })
  expect(taken).toEqual([0, 1, 2, undefined])
})

test.each([
  { why: 'another host is left', states: [], tried: [0], is: true },
  { why: 'the other ones do not answer', states: [state(true), state(false), state(false)], tried: [0], is: false },
  { why: 'all were tried', states: [], tried: [0, 1, 2], is: false },
])('whether a call goes on over another host: $why', ({ states, tried, is }) => {
  const names = inOrder.filter((_, n) => tried.includes(n)).map(nameOf)
  expect(hasOther(inOrder, states, names)).toBe(is)
})
