import { expect, test } from 'vitest'
import { newTrunkRow } from '../../../testing/rows.ts'
import type { Keeping } from './agent-room.ts'
import { Contracts } from './contracts.ts'

const contract = { id: 7, name: 'NTC', channels: 30, cps: 10 }
const dialer = { channels: 100, cps: 100 }
const all = { channelsTaken: 30, cpsTaken: 10 }
const wanting = (calls: number) => new Map([[7, calls]])

/** Two trunks of the contract, and one without. `legs`: on the first; `kept`: channels that calls over the two leave to agents. */
function newContracts(
  of: { legs?: number; kept?: number; granted?: { channels: number; cps: number } } = {},
): Contracts {
  const keeping: Keeping = (trunkIds) => (trunkIds?.join() === '1,2' ? (of.kept ?? 0) : 0)
  const contracts = new Contracts({ legsOfTrunk: (id) => (id === 1 ? (of.legs ?? 0) : 0) }, { now: () => keeping })
  contracts.update([newTrunkRow({ id: 1, contract }), newTrunkRow({ id: 2, contract }), newTrunkRow({ id: 3 })])
  if (of.granted) {
    contracts.ask(wanting(5), dialer, 0)
    contracts.answered(new Map([[7, { ...all, ...of.granted }]]))
  }
  return contracts
}

test('before anything is granted no call begins over its trunks; a trunk without a contract is as ever', () => {
  const contracts = newContracts()
  expect([1, 2, 3].map((id) => [contracts.hasRoom(id), contracts.mayBegin(id, 0)])).toEqual([
    [false, false],
    [false, false],
    [true, true],
  ])
  expect(contracts.room(new Map(), 250, 0).room).toEqual(new Map([[7, 0]]))
})

test('calls over all its trunks, and those that wait for their moment, take from one part', () => {
  const contracts = newContracts({ legs: 4, granted: { channels: 10, cps: 8 } })
  const room = (queued: [number, number][]) => contracts.room(new Map(queued), 250, 0).room.get(7)
  expect([room([]), room([[2, 3]])]).toEqual([6, 5])
})

test('calls leave channels of what was granted to agents, and these are asked for beside what calls need', () => {
  const contracts = newContracts({ legs: 4, kept: 3, granted: { channels: 10, cps: 8 } })
  expect(contracts.room(new Map(), 250, 0).room.get(7)).toBe(10 - 4 - 3)
  expect(contracts.hasChannel(2), 'for an agent').toBe(true)
  expect(contracts.ask(wanting(5), dialer, 0)).toMatchObject([{ legs: 4, channels: 4 + 5 + 3 }])
})

test('a dialer without calls that could ring agents asks for no more channels than its calls need', () => {
  const contracts = newContracts({ legs: 4, granted: { channels: 10, cps: 8 } })
  expect(contracts.ask(wanting(5), dialer, 0)).toMatchObject([{ legs: 4, channels: 9 }])
  contracts.answered(new Map([[7, { ...all, channels: 4, cps: 0 }]]))
  expect(contracts.needs(new Map(), dialer, 1000)).toEqual({ hasAny: true, short: false })
})

test('a second has no more calls than were granted, whichever trunks they go over', () => {
  const contracts = newContracts({ granted: { channels: 10, cps: 2 } })
  contracts.begins(1, 100)
  contracts.begins(2, 400)
  expect([900, 1099, 1100].map((now) => contracts.mayBegin(1, now))).toEqual([false, false, true])
  expect(contracts.room(new Map(), 250, 900).room.get(7)).toBe(1) // the first one’s place is free within the tick
})

test('while the database is asked, no more is used than what it heard of', () => {
  const contracts = newContracts({ legs: 4, kept: 1, granted: { channels: 10, cps: 5 } })
  contracts.begins(1, 0)
  expect(contracts.ask(wanting(3), dialer, 100)).toEqual([{ contractId: 7, legs: 4, channels: 8, begun: 1, cps: 4 }])
  expect([contracts.hasChannel(1), contracts.mayBegin(1, 200), contracts.mayBegin(1, 1000)]).toEqual([
    false,
    false,
    true,
  ])
  contracts.answered(null) // nobody knows what it did
  expect([contracts.hasChannel(1), contracts.mayBegin(1, 200)]).toEqual([false, false])
  contracts.ask(wanting(3), dialer, 1100)
  contracts.answered(new Map([[7, { ...all, channels: 6, cps: 3 }]]))
  expect([contracts.hasChannel(1), contracts.mayBegin(1, 1200)]).toEqual([true, true])
})

test('a leg for an agent that finds no place gets the next one, before any call', () => {
  const contracts = newContracts({ granted: { channels: 10, cps: 1 } })
  contracts.begins(1, 0)
  expect(contracts.mayBeginLeg(1, 980)).toBe(false)
  expect([contracts.mayBegin(1, 1000), contracts.room(new Map(), 250, 1000).room.get(7)]).toEqual([false, 0])
  expect(contracts.mayBeginLeg(1, 1000)).toBe(true)
  expect(contracts.needs(new Map(), dialer, 1000)).toEqual({ hasAny: true, short: false })
})

test.each([
  {
    why: 'its part is in use, others have the rest',
    legs: 10,
    channels: 10,
    is: 'all 30 channels of contract NTC are busy',
  },
  {
    why: 'what is free of its part is kept for agents, others have the rest',
    legs: 8,
    channels: 10,
    kept: 2,
    is: 'the free channels of contract NTC are kept for calls to agents',
  },
  { why: 'others begin all its calls', cps: 0, is: 'all 10 calls a second of contract NTC are taken' },
  { why: 'the rest is free, and asked for', legs: 10, channels: 10, channelsTaken: 20, is: null },
  { why: 'it has room', is: null },
])('$why: $is', ({ legs = 0, channels = 20, cps = 5, channelsTaken = 30, kept = 0, is }) => {
  const contracts = newContracts({ legs, kept })
  contracts.ask(wanting(5), dialer, 0)
  contracts.answered(new Map([[7, { channels, cps, channelsTaken, cpsTaken: 10 }]]))
  contracts.room(new Map(), 250, 0)
  expect(contracts.inTheWay(2)).toBe(is)
})
