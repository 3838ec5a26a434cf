import { connectFlow } from '@ghanti/callflow/flow.ts'
import { expect, test } from 'vitest'
import { AgentRoom, secondLegsOf } from './agent-room.ts'

const silent = { templateId: 0, opening: [], menus: [], closing: [], speech: null, spoken: [] }
const agents = ['+9779801111107', '+9779801111207', '+9779801111307', '+9779801111307']
const keys = agents.map((number, i) => ({ digit: String(i + 1), action: { type: 'agent' as const, number } }))
/** Four keys ring three agents. */
const patching = { ...silent, menus: [{ keys }] } as never

/** Calls of a patching campaign (1) and of another (2) over trunk 1, and so many legs of agents there. */
function room(up: { patching?: number; others?: number; agents?: number }): AgentRoom {
  const call = (flow: unknown) => ({ plan: { flow }, attempt: { cli: { trunkId: 1 } } })
  const { patching: patched = 0, others = 0, agents: legs = 0 } = up
  const all = [
    [1, patched, patching],
    [2, others, silent],
  ] as const
  const byCampaign = new Map(all.map(([id, n, flow]) => [id, new Set(Array.from({ length: n }, () => call(flow)))]))
  const calls = patched + others
  const at = {
    byCampaign,
    legs: calls + legs,
    callsByTrunk: new Map([[1, calls]]),
    legsOfTrunk: (id: number) => (id === 1 ? calls + legs : 0),
  }
  return new AgentRoom(at as never)
}
const keptOf = (agentRoom: AgentRoom, channels = 30) => {
  const keeping = agentRoom.now()
  return { dialer: keeping(null, channels), trunk: keeping([1], channels) }
}
const both = (n: number) => ({ dialer: n, trunk: n })

test('an agent with two keys is one telephone; a Call Now rings one; other campaigns ring none', () => {
  const connect = connectFlow({ agent: '+9779801111107', customer: '+9779801111111' })
  expect([patching, connect, silent as never].map(secondLegsOf)).toEqual([3, 1, 0])
})

test('calls that are up keep a channel for each agent whom they could ring, less those whose legs are up', () => {
  expect(keptOf(room({ patching: 20, others: 5 }))).toEqual(both(3))
  expect(keptOf(room({ patching: 2, others: 5 }))).toEqual(both(2))
  expect(keptOf(room({ patching: 20, agents: 1 }))).toEqual(both(2))
  expect(keptOf(room({ patching: 20, agents: 3 }))).toEqual(both(0))
})

test('calls that are wanted keep channels before they begin, over their trunks alone', () => {
  const agentRoom = room({ others: 5 })
  expect(keptOf(agentRoom).dialer).toBe(0)
  const wanting = { campaignId: 1, flow: patching, trunkIds: [1], calls: 10 }
  agentRoom.wants([wanting])
  expect(keptOf(agentRoom)).toEqual(both(3))
  agentRoom.wants([{ ...wanting, trunkIds: [2] }])
  expect(keptOf(agentRoom)).toEqual({ dialer: 3, trunk: 0 })
  agentRoom.wants([])
  expect(keptOf(agentRoom).dialer).toBe(0)
})

test('over several trunks together, as those of a contract, each agent has one channel, whichever of them the calls go over', () => {
  const agentRoom = room({ patching: 2, agents: 1 }) // over trunk 1
  agentRoom.wants([{ campaignId: 1, flow: patching, trunkIds: [2, 3], calls: 5 }])
  const keeping = agentRoom.now()
  expect([keeping([1], 30), keeping([2], 30), keeping([1, 2], 30), keeping([4], 30)]).toEqual([1, 3, 2, 0])
})

test('at most half of all channels are kept: customers are called whatever the number of agents', () => {
  expect(keptOf(room({ patching: 20 }), 4)).toEqual(both(2))
  expect(keptOf(room({ patching: 1 }), 1)).toEqual(both(0))
})
