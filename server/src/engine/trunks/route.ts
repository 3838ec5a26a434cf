/** Over which trunks a campaign's calls may go, and over which the next one goes. */

/**
 * A trunk of a route. Those of the lowest priority carry the calls, the cheapest of them first and those that cost the same shared by weight; the
 * next take over where none of these has room. `costPaisa`: of a minute.
 */
export type RouteStep = { trunkId: number; priority: number; weight: number; costPaisa: number }

export type Routed = {
  /** The trunk of the caller ID. */
  trunk_id: number
  /** The route of the caller ID. Null: its trunk alone. */
  route: readonly RouteStep[] | null
}

/** The trunks of a campaign, those that are tried first at the front. Never none. */
export function stepsOf({ trunk_id: trunkId, route }: Routed): RouteStep[] {
  if (route === null || route.length === 0) return [{ trunkId, priority: 1, weight: 1, costPaisa: 0 }]
  return route.toSorted((a, b) => inOrder(a, b) || b.weight - a.weight || a.trunkId - b.trunkId)
}

export function trunkIdsOf(campaign: Routed): number[] {
  return stepsOf(campaign).map(({ trunkId }) => trunkId)
}

function inOrder(a: RouteStep, b: RouteStep): number {
  return a.priority - b.priority || a.costPaisa - b.costPaisa
}

/**
 * The trunk of the next call: of those with room, one of the lowest priority, of these the cheapest; among equals, the one that has the fewest
 * channels in use for its weight. Undefined: none has room.
 */
export function nextTrunk(
  steps: readonly RouteStep[],
  of: { room(trunkId: number): number; inUse(trunkId: number): number },
): number | undefined {
  const load = ({ trunkId, weight }: RouteStep): number => of.inUse(trunkId) / weight
  let best: RouteStep | undefined
  for (const step of steps) {
    if (of.room(step.trunkId) <= 0) continue
    if (!best || (inOrder(step, best) || load(step) - load(best)) < 0) best = step
  }
  return best?.trunkId
}
