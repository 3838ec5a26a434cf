import { expect, test } from 'vitest'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import { defaultCallingHours } from '../../modules/platform/rules-hours.ts'
import { violationsOf, type CheckedEvent } from './checker.ts'

const noon = instantOfNepalTime('2026-11-20 12:00:00')?.getTime() ?? 0
const price = { pulseMs: 15_000, pulsePaisa: 40 }
type Began = Extract<CheckedEvent, { type: 'began' }>
type Ended = Extract<CheckedEvent, { type: 'ended' }>
const caps = (of: { channels?: number; cps?: number; cli?: number } = {}): CheckedEvent => {
  const cap = { channels: of.channels ?? 10, callsPerSecond: of.cps ?? 10 }
  return {
    type: 'caps',
    at: 0,
    dialer: { id: 1, ...cap },
    trunks: [{ id: 1, ...cap }],
    clis: [{ id: 1, channels: of.cli ?? 10 }],
  }
}
const began = (attemptId: number, more: Partial<Began> = {}): Began => ({
  type: 'began',
  at: attemptId * 100,
  now: noon,
  dialerId: 1,
  attemptId,
  campaignId: 1,
  rowNo: attemptId,
  phone: `+9779800000${String(more.rowNo ?? attemptId).padStart(3, '0')}`,
  attemptNo: 1,
  retries: 2,
  trunkId: 1,
  tried: [],
  operator: 0,
  cliId: 1,
  hours: defaultCallingHours,
  ...more,
})
const ended = (attemptId: number, more: Partial<Ended> = {}): Ended => ({
  type: 'ended',
  at: attemptId * 100 + 50,
  attemptId,
  campaignId: 1,
  rowNo: attemptId,
  disposition: 'ANSWER',
  billMs: 20_000,
  patchBillMs: null,
  reservedPaisa: 80,
  price,
  retryInMs: null,
  ...more,
})
const leg = { attemptId: 1, trunkId: 1 }
const legBegan = (at: number): CheckedEvent => ({ type: 'legBegan', at, ...leg })
const legEnded = (at: number): CheckedEvent => ({ type: 'legEnded', at, ...leg })
const unanswered = { disposition: 'BUSY' as const, billMs: null }
const routeOver = (
  at: number,
  trunks: Record<number, number[] | null>,
  of: { clis?: Record<number, string>; shows?: Record<number, string[]> } = {},
): CheckedEvent => ({
  type: 'routes',
  at,
  routes: [
    {
      campaignId: 1,
      trunks: Object.entries(trunks).map(([trunkId, operators]) => {
        const shows = of.shows?.[Number(trunkId)]
        return { trunkId: Number(trunkId), operators, ...(shows ? { shows } : {}) }
      }),
      clis: Object.entries(of.clis ?? { 1: '015970001' }).map(([id, number]) => ({ id: Number(id), number })),
    },
  ],
})
const many = (n: number, everyMs: number): CheckedEvent[] =>
  Array.from({ length: n }, (_, i) => [began(i, { at: i * everyMs }), ended(i, { at: i * everyMs + 1 })]).flat()
const ofDialer = (dialerId: number) => ({ dialerId, trunkId: dialerId })
/** With a trunk each, of one contract. */
const twoDialers = (of: { channels?: number; cps?: number }): CheckedEvent[] =>
  [1, 2].map((id) => {
    const cap = { channels: 10, callsPerSecond: 10 }
    const contract = { id: 5, channels: of.channels ?? 10, callsPerSecond: of.cps ?? 10, trunkIds: [1, 2] }
    const trunks = [1, 2].map((trunkId) => ({ id: trunkId, ...cap }))
    return { type: 'caps', at: 0, dialer: { id, ...cap }, trunks, clis: [], contracts: [contract] }
  })
const over: CheckedEvent = { type: 'over', at: 9000, campaignId: 1, attempts: 1 }

test.each<{ why: string; events: CheckedEvent[]; found: string[] }>([
  {
    why: 'a call, a retry of another, one after the other',
    events: [
      began(1),
      ended(1),
      began(2),
      ended(2, { ...unanswered, retryInMs: 10 }),
      began(3, { rowNo: 2, attemptNo: 2 }),
      ended(3, { rowNo: 2 }),
    ],
    found: [],
  },
  { why: 'ten a second', events: [caps(), ...many(50, 100)], found: [] },
  { why: 'twenty a second', events: [caps(), ...many(13, 50)], found: ['rate dialer 1', 'rate trunk 1'] },
  {
    why: 'a trunk’s test calls a number that is in a call, and a call begins to one that is being tested',
    events: [
      began(1, { phone: '+977' }),
      { type: 'testBegan', at: 110, dialerId: 1, testId: 7, trunkId: 1, phone: '+977' },
      began(2, { phone: '+977' }),
    ],
    found: ['twice test 7', 'twice attempt 2'],
  },
  {
    why: 'a test after a call and before the next, on one channel',
    events: [
      caps({ channels: 1 }),
      began(1, { phone: '+977' }),
      ended(1),
      { type: 'testBegan', at: 160, dialerId: 1, testId: 7, trunkId: 1, phone: '+977' },
      { type: 'testEnded', at: 170, testId: 7 },
      began(2, { phone: '+977' }),
    ],
    found: [],
  },
  {
    why: 'more at once than channels',
    events: [caps({ channels: 2 }), began(1), began(2), began(3)],
    found: ['channels dialer 1', 'channels trunk 1'],
  },
  {
    why: 'an agent’s leg takes one too',
    events: [caps({ channels: 2 }), began(1), legBegan(1), began(2)],
    found: ['channels dialer 1', 'channels trunk 1'],
  },
  {
    why: 'until it ends, or its call does',
    events: [caps({ channels: 2 }), began(1), legBegan(1), ended(1), began(2), began(3)],
    found: [],
  },
  {
    why: 'each time that an agent is rung, one leg after the other',
    events: [caps({ channels: 2 }), began(1), legBegan(1), legEnded(2), legBegan(3)],
    found: [],
  },
  {
    why: 'two legs of agents in one call',
    events: [began(1), legBegan(1), legBegan(2)],
    found: ['twice attempt 1'],
  },
  { why: 'a caller ID’s channels', events: [caps({ cli: 1 }), began(1), began(2)], found: ['channels caller ID 1'] },
  {
    why: 'the same attempt twice',
    events: [began(1), began(1, { phone: '+9779800009999', rowNo: 9 })],
    found: ['twice attempt 1'],
  },
  {
    why: 'an attempt that goes on over two other trunks, one after the other, on one channel',
    events: [
      caps({ channels: 1 }),
      began(1),
      { type: 'hungUp', at: 110, attemptId: 1 },
      began(1, { trunkId: 2, tried: [1] }),
      { type: 'hungUp', at: 120, attemptId: 1 },
      began(1, { trunkId: 3, tried: [1, 2] }),
      ended(1),
    ],
    found: [],
  },
  {
    why: 'an attempt that goes on while its channel is up',
    events: [began(1), began(1, { trunkId: 2, tried: [1] })],
    found: ['twice attempt 1'],
  },
  {
    why: 'an attempt that goes on over the next host of its trunk',
    events: [began(1), { type: 'hungUp', at: 110, attemptId: 1 }, began(1, { trunkId: 1, tried: [1] }), ended(1)],
    found: [],
  },
  {
    why: 'an attempt that goes on over the next host of its trunk while its channel is up',
    events: [began(1), began(1, { trunkId: 1, tried: [1] })],
    found: ['twice attempt 1'],
  },
  {
    why: 'an attempt that goes over one trunk again after another',
    events: [
      began(1),
      { type: 'hungUp', at: 110, attemptId: 1 },
      began(1, { trunkId: 2, tried: [1] }),
      { type: 'hungUp', at: 120, attemptId: 1 },
      began(1, { trunkId: 1, tried: [1, 2] }),
    ],
    found: ['twice attempt 1'],
  },
  {
    why: 'an attempt that goes on at night, above the channels of the next trunk',
    events: [
      {
        type: 'caps',
        at: 0,
        dialer: { id: 1, channels: 9, callsPerSecond: 9 },
        trunks: [{ id: 2, channels: 0, callsPerSecond: 9 }],
        clis: [],
      },
      began(1),
      { type: 'hungUp', at: 110, attemptId: 1 },
      began(1, { trunkId: 2, tried: [1], now: noon + 10 * 3600_000 }),
    ],
    found: ['hours attempt 1', 'channels trunk 2'],
  },
  {
    why: 'a call over a trunk that names its operator, one over a trunk for all, one over a trunk of another operator',
    events: [
      routeOver(0, { 1: [1, 2], 2: [3], 3: null }),
      began(1, { operator: 2 }),
      began(2, { operator: 2, trunkId: 3 }),
      began(3, { operator: 2, trunkId: 2 }),
    ],
    found: ['operator attempt 3'],
  },
  {
    why: 'a call that was claimed before its trunk named another operator, and one that was not',
    events: [
      routeOver(0, { 1: [2] }),
      routeOver(1000, { 1: [3] }),
      began(1, { at: 1100, operator: 2 }),
      began(2, { at: 7000, operator: 2 }),
    ],
    found: ['operator attempt 2'],
  },
  {
    why: 'a call over a trunk of its route, and one over a trunk that is not in it',
    events: [routeOver(0, { 1: null, 3: null }), began(1), began(2, { trunkId: 2 }), began(3, { trunkId: 3 })],
    found: ['route attempt 2'],
  },
  {
    why: 'a call that goes on over a trunk that is not in its route',
    events: [
      routeOver(0, { 1: null }),
      began(1),
      { type: 'hungUp', at: 110, attemptId: 1 },
      began(1, { trunkId: 2, tried: [1] }),
    ],
    found: ['route attempt 1'],
  },
  {
    why: 'a call that was claimed before its trunk left the route, which changed once more and was said once more, and one that was not',
    events: [
      routeOver(0, { 1: null }),
      routeOver(1000, { 2: null }),
      routeOver(1050, { 2: null, 3: null }),
      routeOver(1080, { 2: null, 3: null }),
      began(1, { at: 1100 }),
      began(2, { at: 7000 }),
    ],
    found: ['route attempt 2'],
  },
  {
    why: 'calls that show a caller ID of their campaign, and one that shows another',
    events: [
      routeOver(0, { 1: null }, { clis: { 1: '015970001', 2: '015970002' } }),
      began(1),
      began(2, { cliId: 2 }),
      began(3, { cliId: 3 }),
    ],
    found: ['route attempt 3'],
  },
  {
    why: 'a call that was claimed before its caller ID left the group, and one that was not',
    events: [
      routeOver(0, { 1: null }, { clis: { 1: '015970001', 2: '015970002' } }),
      routeOver(1000, { 1: null }, { clis: { 2: '015970002' } }),
      began(1, { at: 1100 }),
      began(2, { at: 7000 }),
    ],
    found: ['route attempt 2'],
  },
  {
    why: 'caller IDs over trunks that may show them, by a range and by themselves, and one over a trunk that may not',
    events: [
      routeOver(
        0,
        { 1: null, 2: null, 3: null },
        { clis: { 1: '015970001', 2: '015970009' }, shows: { 1: ['015970000-015970005'], 2: ['015970009'] } },
      ),
      began(1),
      began(2, { trunkId: 2, cliId: 2 }),
      began(3, { trunkId: 3 }),
      began(4, { trunkId: 2 }),
    ],
    found: ['route attempt 4'],
  },
  {
    why: 'a call of a campaign whose trunks nobody said',
    events: [routeOver(0, { 2: null }), began(1, { campaignId: 2 })],
    found: [],
  },
  {
    why: 'two calls to one number, over two dialers',
    events: [began(1, { phone: '+977' }), began(2, { phone: '+977', dialerId: 2, trunkId: 2, campaignId: 2 })],
    found: ['twice attempt 2'],
  },
  {
    why: 'each of two dialers as many channels as it has',
    events: [
      caps({ channels: 1 }),
      { ...caps({ channels: 1 }), dialer: { id: 2, channels: 1, callsPerSecond: 9 } } as CheckedEvent,
      began(1),
      began(2, { dialerId: 2, trunkId: 2 }),
      began(3, { dialerId: 2, trunkId: 2, at: 310 }),
    ],
    found: ['channels dialer 2'],
  },
  {
    why: 'more calls over two dialers than their contract has channels, each within its own',
    events: [...twoDialers({ channels: 2 }), began(1), began(2, { dialerId: 2, trunkId: 2 }), began(3)],
    found: ['channels contract 5'],
  },
  {
    why: 'an agent’s leg takes a channel of the contract, too',
    events: [...twoDialers({ channels: 2 }), began(1), legBegan(150), began(2, { dialerId: 2, trunkId: 2 })],
    found: ['channels contract 5'],
  },
  {
    why: 'when a call of one dialer is over, its channel of the contract is the other’s',
    events: [...twoDialers({ channels: 1 }), began(1), ended(1), began(2, { dialerId: 2, trunkId: 2 })],
    found: [],
  },
  {
    why: 'more calls a second over two dialers than their contract has, each within its own',
    events: [
      ...twoDialers({ cps: 4 }),
      ...[1, 2, 3, 4, 5, 6, 7].map((n) => began(n, { at: n * 50, ...ofDialer(1 + (n % 2)) })),
    ],
    found: ['rate contract 5'],
  },
  {
    why: 'a number in two calls',
    events: [began(1), began(2, { phone: '+9779800000001' })],
    found: ['twice attempt 2'],
  },
  {
    why: 'the same number in two campaigns',
    events: [began(1), began(2, { phone: '+9779800000001', campaignId: 2 })],
    found: ['twice attempt 2'],
  },
  {
    why: 'the same number in two campaigns, one after the other',
    events: [began(1), ended(1), began(2, { phone: '+9779800000001', campaignId: 2 })],
    found: [],
  },
  { why: 'a row that answered', events: [began(1), ended(1), began(2, { rowNo: 1 })], found: ['twice attempt 2'] },
  {
    why: 'a row that was given back',
    events: [began(1), ended(1, { disposition: 'CANCEL', billMs: null, retryInMs: 0 }), began(2, { rowNo: 1 })],
    found: [],
  },
  {
    why: 'an outcome that is final and yet to be dialled',
    events: [began(1), ended(1, { retryInMs: 5 })],
    found: ['attempts attempt 1'],
  },
  { why: 'one attempt too many', events: [began(1, { attemptNo: 4 })], found: ['attempts attempt 1'] },
  {
    why: 'a retry of the whole campaign',
    events: [began(1), ended(1, unanswered), { type: 'retried', at: 1, campaignId: 1 }, began(2, { rowNo: 1 })],
    found: [],
  },
  {
    why: 'a blacklisted number',
    events: [{ type: 'suppressed', at: 0, campaignId: 1, phone: '+9779800000001' }, began(1)],
    found: ['suppression attempt 1'],
  },
  { why: 'a call at night', events: [began(1, { now: noon + 10 * 3600_000 })], found: ['hours attempt 1'] },
  {
    why: 'a call beyond its reservation',
    events: [began(1), ended(1, { billMs: 30_001 })],
    found: ['money attempt 1'],
  },
  {
    why: 'two legs on the reservation of one',
    events: [began(1), ended(1, { patchBillMs: 20_000 })],
    found: ['money attempt 1'],
  },
  {
    why: 'a bill without an answer',
    events: [began(1), ended(1, { disposition: 'BUSY' })],
    found: ['money attempt 1'],
  },
  { why: 'over with a call up', events: [began(1), over], found: ['counts campaign 1'] },
  {
    why: 'over with fewer counted than ended',
    events: [began(1), ended(1), began(2), ended(2), over],
    found: ['counts campaign 1'],
  },
])('$why', ({ events, found }) => {
  expect(violationsOf(events).map((one) => `${one.rule} ${one.subject}`)).toEqual(found)
})
