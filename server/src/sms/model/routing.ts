import type { RouteRow } from './snapshot.sql.ts'

export type RouteStep = RouteRow['steps'][number]

/** The route's steps for a sender ID's messages to an operator: its own route, else the general one; null when there is none. */
export function stepsOf(routes: readonly RouteRow[], operator: number, sender: string): readonly RouteStep[] | null {
  const ofOperator = routes.filter((route) => route.operators.includes(operator))
  const own = ofOperator.find((route) => route.sender?.toLowerCase() === sender.toLowerCase())
  return (own ?? ofOperator.find((route) => route.sender === null))?.steps ?? null
}

/** The gateways that share the messages now: those of the lowest priority with a working one. */
export function sharers(steps: readonly RouteStep[], works: (gatewayId: number) => boolean): RouteStep[] {
  const working = steps.filter((step) => works(step.gateway_id))
  const first = Math.min(...working.map((step) => step.priority))
  return working.filter((step) => step.priority === first)
}

type Share = {
  /** The share of ready messages that this gateway may take, from 0 to 1. */
  part: number
  /** In segments, so that slower gateways keep their share. */
  perSecond: number
}

/** This gateway's share of a stream by weight; null when it has none. */
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
