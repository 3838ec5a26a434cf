import { expect, test } from 'vitest'
import { newOtherDialer } from '../../testing/decide.ts'
import {
  leaderTakes,
  yieldedHere,
  onDialers,
  othersFor,
  callsHere,
  callsHereOfStreams,
  stepsHere,
  type OtherDialer,
} from './sharing.ts'

const step = (priority: number, costPaisa: number, weight = 1) => ({ trunkId: 1, priority, costPaisa, weight })
const other = (steps: readonly ReturnType<typeof step>[], of: Partial<OtherDialer> & { has_room?: boolean } = {}) => {
  const { has_room = true, ...more } = of
  return newOtherDialer({ name: 'B', steps: steps.map((one) => ({ ...one, has_room })), ...more })
}

test.each([
  { why: 'nobody else', others: null, orders: [1, 2] },
  { why: 'a lower order elsewhere goes first', others: [other([step(1, 0)])], orders: [1] },
  { why: 'so does a cheaper trunk of the same order', others: [other([step(1, 0), step(2, 50)])], orders: [1] },
  { why: 'a full or faulty trunk does not', others: [other([step(1, 0)], { has_room: false })], orders: [1, 2] },
  { why: 'nor does a dialer that carries no calls', others: [other([step(1, 0)], { carries: false })], orders: [1, 2] },
  { why: 'a dearer one waits for this', others: [other([step(1, 200)])], orders: [1] },
])('calls begin over the steps of this dialer that come first: $why', ({ others, orders }) => {
  const here = [step(1, 0), step(2, 100)]
  expect(stepsHere(here, others).map(({ priority }) => priority)).toEqual(orders)
})

test.each([
  { why: 'alone', others: null, part: 12 },
  { why: 'by weight, beside an equal', others: [other([step(1, 0, 2)])], part: 4 },
  { why: 'not beside a dearer one', others: [other([step(1, 10, 2)])], part: 12 },
  { why: 'not beside one that carries none', others: [other([step(1, 0, 2)], { carries: false })], part: 12 },
  { why: 'at least one', others: [other([step(1, 0, 100)])], part: 1 },
])('of the calls that are wanted a dialer takes its part: $why', ({ others, part }) => {
  expect(callsHere(12, [step(1, 0), step(2, 0, 7)], others)).toBe(part)
})

test('rows that other dialers could not carry are for this one, whatever goes before its trunks, as many as were yielded; those who yielded none go on', () => {
  const [one, two, three] = [{ 0: 2 }, { 0: 1, 2: 5 }, null].map((yielded) => other([step(1, 0)], { yielded }))
  if (!one || !two || !three) throw new Error('three')
  expect(yieldedHere([one, two, three], null)).toEqual({ rows: 3, remaining: [three] })
  expect(yieldedHere([one, two, three], 2)).toEqual({ rows: 5, remaining: [one, three] })
  expect(yieldedHere(null, null)).toEqual({ rows: 0, remaining: [] })
  expect(yieldedHere([other([], { yielded: { 0: 'all' } }), two, three], null)).toEqual({
    rows: Infinity,
    remaining: [three],
  })
})

const [ntc, ncell] = [1, 2]
const by = (operators: number[] | null, has_room = true) => ({ ...step(1, 0), operators, has_room })

test.each([
  { why: 'has a trunk for them', of: { steps: [by([ntc])] }, stream: ntc, carries: [true] },
  { why: 'has one for all', of: { steps: [by(null)] }, stream: ntc, carries: [true] },
  { why: 'has none', of: { steps: [by([ntc])] }, stream: ncell, carries: [] },
  {
    why: 'says what keeps it from them, and from no others',
    of: { steps: [by([ntc, ncell])], streams: { 1: 'trunk NT-1 is on hold', 2: null } },
    stream: ntc,
    carries: [false],
  },
  {
    why: 'the same of the others',
    of: { steps: [by([ntc, ncell])], streams: { 1: 'trunk NT-1 is on hold', 2: null } },
    stream: ncell,
    carries: [true],
  },
  { why: 'is lost', of: { steps: [by([ntc])], carries: false, reason: 'lost' }, stream: ntc, carries: [false] },
])('whether another dialer carries numbers of an operator: it $why', ({ of, stream, carries }) => {
  expect(othersFor([newOtherDialer({ name: 'B', ...of })], stream).map((one) => one.carries)).toEqual(carries)
})

const here = [step(1, 0)]
const elsewhere = [other([step(1, 0)])]
test.each([
  { why: 'alone', streams: [{ rows: 50, route: here, others: [] }], part: 12 },
  {
    why: 'one operator here, another elsewhere',
    streams: [
      { rows: 50, route: here, others: [] },
      { rows: 50, route: [], others: elsewhere },
    ],
    part: 6,
  },
  {
    why: 'few rows are left elsewhere',
    streams: [
      { rows: Infinity, route: here, others: [] },
      { rows: 1, route: [], others: elsewhere },
    ],
    part: 12,
  },
  {
    why: 'nobody can call the other operator',
    streams: [
      { rows: 50, route: here, others: [] },
      { rows: 50, route: [], others: [] },
    ],
    part: 12,
  },
  { why: 'both call the operator', streams: [{ rows: 50, route: here, others: elsewhere }], part: 6 },
  { why: 'none here', streams: [{ rows: 50, route: [], others: elsewhere }], part: 0 },
])('where rows are by operator, its part is that of its operators: $why', ({ streams, part }) => {
  expect(callsHereOfStreams(12, streams)).toBe(part)
})

test('what keeps all dialers is said of each, and of one alone in its own words', () => {
  const [one, two] = [
    { name: 'KTM', reason: 'trunk NT-1 is on hold' },
    { name: 'PKR', reason: 'no engine serves dialer PKR' },
  ]
  expect(onDialers([one])).toBe('trunk NT-1 is on hold')
  expect(onDialers([one, two])).toBe('on dialer KTM: trunk NT-1 is on hold; on dialer PKR: no engine serves dialer PKR')
  expect(onDialers([one, { ...two, reason: null }])).toBeNull()
})

test.each([
  { why: 'it has room', of: {}, takes: true },
  { why: 'it has no room', of: { has_room: false }, takes: false },
  { why: 'something keeps it from them', of: { carries: false, reason: 'lost' }, takes: false },
  { why: 'it has just yielded one to others', of: { yielded: { 0: 1 } }, takes: false },
])('whether the dialer that leads takes a single call: $why', ({ of, takes }) => {
  expect(leaderTakes({ others: [other([step(1, 0)], { leads: true, ...of })], streams: null })).toBe(takes)
})
