/** Decides over which trunks a campaign's calls may go, and which caller IDs calls may show. */
import { inOrder, type RouteStep } from '../../../dispatch/turns/route-step.ts'
import { streamsWithRows, type Streamed } from './streams.ts'

export type Routed = {
  /** The trunk of the caller ID. */
  trunk_id: number
  /** The trunks that the route of the caller ID has on this dialer. Null: its trunk alone. */
  route: readonly RouteStep[] | null
  /** Those that the route has on other dialers. */
  others?: readonly { steps: readonly Pick<RouteStep, 'operators'>[] }[] | null
}

/** A caller ID that calls may show. `weight`: its share of the numbers that its group calls. */
export type ShownCli = { id: number; number: string; channels: number; weight: number }

export type Showing = {
  cli_id: number
  cli: string
  cli_channels: number
  /** Of the caller ID group that was chosen. Null: `cli_id` is a caller ID itself. */
  members?: readonly ShownCli[] | null
}

/** What calls of a campaign may show. None: no member of its group is active. */
export function clisOf({ cli_id: id, cli: number, cli_channels: channels, members }: Showing): readonly ShownCli[] {
  return members ?? [{ id, number, channels, weight: 1 }]
}

/** Whether the trunk may carry numbers of the stream. `stream` null: rows of all operators alike, which were not numbered by operator. */
export function takes({ operators }: Pick<RouteStep, 'operators'>, stream: number | null): boolean {
  return !operators || (stream !== null && operators.includes(stream))
}

/**
 * The trunks of this dialer for the rows of a stream, those that are tried first at the front. None: the route has them on other dialers. Rows that were
 * not numbered by operator take the trunks for all operators, and any trunk where the route has none of these.
 */
export function stepsOf({ trunk_id: trunkId, route, others }: Routed, stream: number | null): RouteStep[] {
  if (route === null || route.length === 0) return [{ trunkId, priority: 1, weight: 1, costPaisa: 0 }]
  const steps = route.filter((step) => takes(step, stream))
  const isElsewhere = others?.some((other) => other.steps.some((step) => takes(step, stream))) ?? false
  const inTurn = stream === null && steps.length === 0 && !isElsewhere ? route : steps
  return inTurn.toSorted((a, b) => inOrder(a, b) || b.weight - a.weight || a.trunkId - b.trunkId)
}

/** The streams for whose rows this dialer has trunks. */
export function streamsHere<T extends { stream: number }>(campaign: Routed, streams: readonly T[]): T[] {
  return streams.filter(({ stream }) => stepsOf(campaign, stream).length > 0)
}

/** The trunks for all streams that have rows left. */
export function trunkIdsOf(campaign: Routed & Streamed): number[] {
  const steps = campaign.streams
    ? streamsWithRows(campaign.streams).flatMap(({ stream }) => stepsOf(campaign, stream))
    : stepsOf(campaign, null)
  return [...new Set(steps.map(({ trunkId }) => trunkId))]
}
