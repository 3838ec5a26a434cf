import type { Flow } from '@ghanti/callflow/flow.ts'
import type { Switchboard } from '../../call/switchboard.ts'

/** A campaign that wants calls: its flow, and the trunks over which they may go. */
export type Wanting = { campaignId: number; flow: Flow; trunkIds: readonly number[]; calls: number }

/** How many of `channels` over these trunks, or over all of the dialer (null), calls leave to agents. */
export type Keeping = (trunkIds: readonly number[] | null, channels: number) => number

/** Of a campaign whose calls may ring agents. `up`: its calls by trunk. */
type Patching = { agents: number; up: ReadonlyMap<number, number>; wanting: Wanting | undefined }

/** How many telephones calls of the flow may ring beside their customers': one for each agent. */
export function secondLegsOf({ connect, menus }: Flow): number {
  if (connect) return 1
  const actions = menus.flatMap(({ keys }) => keys.map(({ action }) => action))
  return new Set(actions.flatMap((action) => (action.type === 'agent' ? [action.number] : []))).size
}

/**
 * The channels that calls leave to the legs of agents (docs/adr/69): over each trunk, of each contract's part (docs/adr/72) and on the dialer one for each
 * agent that the calls that are up or wanted could ring, but at most half of all channels. What agents' legs have taken of them is not kept twice.
 */
export class AgentRoom {
  readonly #switchboard: Switchboard
  #wanting: readonly Wanting[] = []

  constructor(switchboard: Switchboard) {
    this.#switchboard = switchboard
  }

  /** Sets the calls that campaigns want to begin, which count beside those that are up. */
  wants(wanting: readonly Wanting[]): void {
    this.#wanting = wanting.filter(({ flow }) => secondLegsOf(flow) > 0)
  }

  now(): Keeping {
    const campaigns = this.#campaigns()
    if (campaigns.length === 0) return () => 0
    const { callsByTrunk } = this.#switchboard
    return (trunkIds, channels) => {
      const agents = campaigns.reduce((sum, one) => sum + Math.min(one.agents, callsOver(one, trunkIds)), 0)
      const calls = sumOver(callsByTrunk, trunkIds)
      const legs = trunkIds?.reduce((sum, id) => sum + this.#switchboard.legsOfTrunk(id), 0) ?? this.#switchboard.legs
      return Math.max(0, Math.min(agents, Math.floor(channels / 2)) - Math.max(0, legs - calls))
    }
  }

  #campaigns(): Patching[] {
    const wanting = new Map(this.#wanting.map((one) => [one.campaignId, one]))
    const campaigns: Patching[] = []
    for (const [campaignId, calls] of this.#switchboard.byCampaign) {
      const [first] = calls
      const agents = first ? secondLegsOf(first.plan.flow) : 0
      if (agents === 0) continue
      const up = new Map<number, number>()
      for (const { attempt } of calls) up.set(attempt.cli.trunkId, (up.get(attempt.cli.trunkId) ?? 0) + 1)
      campaigns.push({ agents, up, wanting: wanting.get(campaignId) })
      wanting.delete(campaignId)
    }
    const others = [...wanting.values()].map((one) => ({ agents: secondLegsOf(one.flow), up: new Map(), wanting: one }))
    return [...campaigns, ...others]
  }
}

/** The calls of a campaign over these trunks that are up or wanted. */
function callsOver({ up, wanting }: Patching, trunkIds: readonly number[] | null): number {
  const isWanted = trunkIds === null || wanting?.trunkIds.some((id) => trunkIds.includes(id))
  return sumOver(up, trunkIds) + (isWanted ? (wanting?.calls ?? 0) : 0)
}

function sumOver(calls: ReadonlyMap<number, number>, trunkIds: readonly number[] | null): number {
  return (trunkIds ?? [...calls.keys()]).reduce((sum, id) => sum + (calls.get(id) ?? 0), 0)
}
