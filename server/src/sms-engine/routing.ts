import type { RouteRow } from './snapshot.sql.ts'

export type RouteStep = RouteRow['steps'][number]

/** The steps of a sender ID's messages to an operator: of its own route, else of the route of all others; null: there is none. */
export function stepsOf(routes: readonly RouteRow[], operator: number, sender: string): readonly RouteStep[] | null {
  const ofOperator = routes.filter((route) => route.operators.includes(operator))
  const own = ofOperator.find((route) => route.sender?.toLowerCase() === sender.toLowerCase())
  return (own ?? ofOperator.find((route) => route.sender === null))?.steps ?? null
}

/** The gateways that share the messages now: those of the lowest priority that has one which works. */
export function sharers(steps: readonly RouteStep[], works: (gatewayId: number) => boolean): RouteStep[] {
  const working = steps.filter((step) => works(step.gateway_id))
  const first = Math.min(...working.map((step) => step.priority))
  return working.filter((step) => step.priority === first)
}

type Share = {
  /** Of the messages that are ready, how many this gateway may take: 0 to 1. */
  part: number
  /** How many segments a second, so that slower sharers keep their part. */
  perSecond: number
}

/** What of a stream is this gateway's; null: nothing. By weight, so that nobody of those who share has more to do than it can. */
export function shareOf(
  sharing: readonly RouteStep[],
  gatewayId: number,
  tpsOf: (gatewayId: number) => number,
): Share | null {
  const own = sharing.find((step) => step.gateway_id === gatewayId)
  if (!own) return null
  const weights = sharing.reduce((sum, step) => sum + step.weight, 0)
  const inAll = Math.min(...sharing.map((step) => (tpsOf(step.gateway_id) * weights) / step.weight))
  return { part: own.weight / weights, perSecond: (inAll * own.weight) / weights }
}
