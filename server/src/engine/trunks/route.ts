/** Over which trunks a campaign's calls may go, and over which the next one goes. */

/** A trunk of a route. Those of the lowest priority carry the calls, shared by weight; the next take over where none of these has room. */
export type RouteStep = { trunkId: number; priority: number; weight: number }

export type Routed = {
  /** The trunk of the caller ID. */
  trunk_id: number
  /** The route of the caller ID. Null: its trunk alone. */
  route: readonly RouteStep[] | null
}

/** The trunks of a campaign, those that are tried first at the front. Never none. */
export function stepsOf({ trunk_id: trunkId, route }: Routed): RouteStep[] {
  if (route === null || route.length === 0) return [{ trunkId, priority: 1, weight: 1 }]
  return route.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight || a.trunkId - b.trunkId)
}

export function trunkIdsOf(campaign: Routed): number[] {
  return stepsOf(campaign).map(({ trunkId }) => trunkId)
}

/**
 * The trunk of the next call: of those with room, one of the lowest priority; among these, the one that has the fewest channels in use for its
 * weight. Undefined: none has room.
 */
export function nextTrunk(
  steps: readonly RouteStep[],
  of: { room(trunkId: number): number; inUse(trunkId: number): number },
): number | undefined {
  const free = steps.filter(({ trunkId }) => of.room(trunkId) > 0)
  const lowest = Math.min(...free.map(({ priority }) => priority))
  const load = ({ trunkId, weight }: RouteStep): number => of.inUse(trunkId) / weight
  return free.filter(({ priority }) => priority === lowest).toSorted((a, b) => load(a) - load(b))[0]?.trunkId
}
