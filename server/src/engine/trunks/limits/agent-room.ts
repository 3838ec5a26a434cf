import type { Flow } from '@ghanti/callflow/flow.ts'
import type { Switchboard } from '../../dial/switchboard.ts'

/** A campaign that wants calls: its flow, and the trunks over which they may go. */
export type Wanting = { campaignId: number; flow: Flow; trunkIds: readonly number[]; calls: number }

/** `trunks`: by trunk. */
export type KeptChannels = { dialer: number; trunks: ReadonlyMap<number, number> }

const nothing: KeptChannels = { dialer: 0, trunks: new Map() }

type Ports = Pick<Switchboard, 'byCampaign' | 'legs' | 'legsOfTrunk' | 'callsByTrunk'>

/** How many telephones calls of the flow may ring beside their customers': one for each agent. */
export function secondLegsOf({ connect, menus }: Flow): number {
  if (connect) return 1
  const actions = menus.flatMap(({ keys }) => keys.map(({ action }) => action))
  return new Set(actions.flatMap((action) => (action.type === 'agent' ? [action.number] : []))).size
}

/**
 * The channels that calls leave to the legs of agents (docs/adr/69): over each trunk and on the dialer one for each agent that the calls that are up or
 * wanted could ring, but at most half of all channels. What agents' legs have taken of them is not kept twice.
 */
export class AgentRoom {
  readonly #switchboard: Ports
  #wanting: readonly Wanting[] = []

  constructor(switchboard: Ports) {
    this.#switchboard = switchboard
  }

  /** From now on, beside the calls that are up. */
  wants(wanting: readonly Wanting[]): void {
    this.#wanting = wanting.filter(({ flow }) => secondLegsOf(flow) > 0)
  }

  /** Of a dialer with so many channels, and of its trunks. */
  kept(channels: number, rows: readonly { id: number; channels: number }[]): KeptChannels {
    const agents = this.#agents()
    if (agents.dialer === 0) return nothing
    const { legs, callsByTrunk } = this.#switchboard
    const calls = [...callsByTrunk.values()].reduce((sum, n) => sum + n, 0)
    const ofTrunks = rows.map((row): [number, number] => {
      const up = this.#switchboard.legsOfTrunk(row.id) - (callsByTrunk.get(row.id) ?? 0)
      return [row.id, keptOf(agents.trunks.get(row.id) ?? 0, row.channels, up)]
    })
    return { dialer: keptOf(agents.dialer, channels, legs - calls), trunks: new Map(ofTrunks) }
  }

  /** How many agents could be rung, over each trunk and in all. */
  #agents(): { dialer: number; trunks: Map<number, number> } {
    const trunks = new Map<number, number>()
    let dialer = 0
    const add = (flow: Flow, callsOver: ReadonlyMap<number, number>, calls: number): void => {
      const agents = secondLegsOf(flow)
      dialer += Math.min(agents, calls)
      for (const [id, over] of callsOver) trunks.set(id, (trunks.get(id) ?? 0) + Math.min(agents, over))
    }
    const wanting = new Map(this.#wanting.map((one) => [one.campaignId, one]))
    for (const [campaignId, calls] of this.#switchboard.byCampaign) {
      const [first] = calls
      if (!first || secondLegsOf(first.plan.flow) === 0) continue
      const wanted = wanting.get(campaignId)
      wanting.delete(campaignId)
      const over = new Map((wanted?.trunkIds ?? []).map((id) => [id, wanted?.calls ?? 0]))
      for (const { attempt } of calls) over.set(attempt.cli.trunkId, (over.get(attempt.cli.trunkId) ?? 0) + 1)
      add(first.plan.flow, over, calls.size + (wanted?.calls ?? 0))
    }
    for (const { flow, trunkIds, calls } of wanting.values())
      add(flow, new Map(trunkIds.map((id) => [id, calls])), calls)
    return { dialer, trunks }
  }
}

/** `up`: channels that agents' legs have. */
function keptOf(agents: number, channels: number, up: number): number {
  return Math.max(0, Math.min(agents, Math.floor(channels / 2)) - Math.max(0, up))
}
