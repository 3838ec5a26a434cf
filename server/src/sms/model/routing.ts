import type { RouteRow } from './snapshot.sql.ts'

export type RouteStep = RouteRow['steps'][number]

/** The route's steps for a sender ID's messages to an operator: its own route, else the general one; null when there is none. */
export function stepsOf(routes: readonly RouteRow[], operator: number, sender: string): readonly RouteStep[] | null {
  const ofOperator = routes.filter((route) => route.operators.includes(operator))
  const own = ofOperator.find((route) => route.sender?.toLowerCase() === sender.toLowerCase())
  return (own ?? ofOperator.find((route) => route.sender === null))?.steps ?? null
}

/** The gateways that carry the messages now: those of the lowest priority with a working one. */
export function carriers(steps: readonly RouteStep[], works: (gatewayId: number) => boolean): RouteStep[] {
  const working = steps.filter((step) => works(step.gateway_id))
  const first = Math.min(...working.map((step) => step.priority))
  return working.filter((step) => step.priority === first)
}

type Part = {
  /** The part of ready messages that this gateway may take, from 0 to 1. */
  part: number
  /** In segments, so that slower gateways keep their part. */
  perSecond: number
}

/** This gateway's part of a stream by weight; null when it has none. */
export function partOf(
  working: readonly RouteStep[],
  gatewayId: number,
  tpsOf: (gatewayId: number) => number,
): Part | null {
  const own = working.find((step) => step.gateway_id === gatewayId)
  if (!own) return null
  const weights = working.reduce((sum, step) => sum + step.weight, 0)
  const inAll = Math.min(...working.map((step) => (tpsOf(step.gateway_id) * weights) / step.weight))
  return { part: own.weight / weights, perSecond: (inAll * own.weight) / weights }
}
