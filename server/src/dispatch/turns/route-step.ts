/** The trunks of a route, and which of them the next call takes. */
/**
 * A trunk of a route. Those of the lowest priority carry the calls, the cheapest of them first and those that cost the same shared by weight; the
 * next take over where none of these has room. `costPaisa`: of a minute. `operators`: whose numbers go over it; null: those of all, where no trunk that
 * names their operator has room.
 */
export type RouteStep = {
  trunkId: number
  priority: number
  weight: number
  costPaisa: number
  operators?: readonly number[] | null
}

type Ordered = Pick<RouteStep, 'priority' | 'costPaisa' | 'operators'>

/** For sorting, by what is tried first. */
export function inOrder(a: Ordered, b: Ordered): number {
  const isForAll = ({ operators }: Ordered): number => (operators ? 0 : 1)
  return isForAll(a) - isForAll(b) || a.priority - b.priority || a.costPaisa - b.costPaisa
}

/**
 * The trunk of the next call: of those with room, one that names the operator of its number, of these one of the lowest priority, of these the
 * cheapest; among equals, the one that has the fewest channels in use for its weight. Undefined: none has room.
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
