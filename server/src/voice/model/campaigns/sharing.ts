/** How the dialers of a route share a campaign's calls (docs/adr/53, 63). Each decides for itself, from what the engines of the others say. */
import type { HoldCause } from '../../../db/tables.ts'
import { inOrder, type RouteStep } from '../../../dispatch/turns/route-step.ts'
import { takes } from './route.ts'
import { streamsWithRows, type Stream } from './streams.ts'
import { words } from './words.ts'

type Step = Pick<RouteStep, 'priority' | 'costPaisa' | 'weight' | 'operators'>

/** Another dialer of a campaign's route, as its engine last said. */
export type OtherDialer = {
  name: string
  /** Its engine decides what becomes of the campaign. */
  leads: boolean
  /** Nothing keeps it from the campaign's calls, of some operator at least. */
  carries: boolean
  /** An engine has it and has not reported yet. */
  unreported: boolean
  /** What keeps it from them. Null: nothing, or nobody has reported it. */
  cause: HoldCause | null
  reason: string | null
  /** What keeps it from the numbers of each operator for which it has trunks, by code. Null: nothing; or the campaign's rows are not by operator. */
  streams: Readonly<Record<string, string | null>> | null
  /** How many rows it has just yielded to others, because no trunk of it carried them, or that it yields all: by stream, 0 where rows are not by operator. Null: none. */
  yielded: Readonly<Record<string, number | 'all'>> | null
  /** `has_room`: the trunk had room when it was last looked at, a second ago. */
  steps: readonly (Step & { has_room: boolean })[]
}

type Others = readonly OtherDialer[] | null

/** The other dialers that have trunks for the numbers of one stream. `stream` null: the rows have one cursor. */
export function othersFor(others: Others, stream: number | null): readonly OtherDialer[] {
  if (stream === null) return others ?? []
  return (others ?? []).flatMap((other) => {
    const steps = other.steps.filter((step) => takes(step, stream))
    const reason = other.reason ?? other.streams?.[stream] ?? null
    return steps.length > 0 ? [{ ...other, steps, reason, carries: other.carries && reason === null }] : []
  })
}

export function carrying(others: Others): readonly OtherDialer[] {
  return (others ?? []).filter(({ carries }) => carries)
}

/** Other dialers that are about to carry the campaign's calls: their sounds are being brought, or they have not reported yet. */
export function arriving(others: Others): readonly OtherDialer[] {
  return (others ?? []).filter(({ carries, unreported, cause }) => !carries && (unreported || cause === 'prompts'))
}

type OfCampaign = { others: Others; streams: readonly Stream[] | null }

/** The others that have trunks for rows that are left. */
export function concerned({ others, streams }: OfCampaign): readonly OtherDialer[] {
  if (!streams) return others ?? []
  const left = streamsWithRows(streams).map(({ stream }) => stream)
  return (others ?? []).filter(({ steps }) => left.some((stream) => steps.some((step) => takes(step, stream))))
}

/** The others that carry calls to some of the rows that are left. */
export function carryingSome({ others, streams }: OfCampaign): readonly OtherDialer[] {
  if (!streams) return carrying(others)
  const names = streamsWithRows(streams).flatMap(({ stream }) => carrying(othersFor(others, stream)))
  return (others ?? []).filter(({ name }) => names.some((one) => one.name === name))
}

/**
 * Whether the dialer that leads a campaign has a trunk with room for its rows, and nothing that keeps it from them, as far as its engine has said. One that
 * has just yielded a row to others does not take it.
 */
export function leaderTakes({ others, streams }: OfCampaign): boolean {
  const leader = (others ?? []).filter(({ leads }) => leads)
  const cursors = streams ? streamsWithRows(streams).map(({ stream }) => stream) : [null]
  const of = cursors.flatMap((stream) =>
    othersFor(leader, stream).filter(({ yielded }) => yielded?.[stream ?? 0] === undefined),
  )
  return of.some(({ reason, steps }) => reason === null && steps.some(({ has_room }) => has_room))
}

/** The steps of this dialer over which calls begin now: those with no trunk elsewhere that has room and goes first by order or cost. */
export function stepsHere(steps: readonly RouteStep[], others: Others): readonly RouteStep[] {
  const elsewhere = stepsElsewhere(others)
  return steps.filter((step) => !elsewhere.some((other) => inOrder(other, step) < 0))
}

/** How many rows of the stream's queue other dialers have just yielded to this one (Infinity: all rows), and the dialers that yielded none. */
export function yieldedHere(
  others: Others,
  stream: number | null,
): { rows: number; remaining: readonly OtherDialer[] } {
  const rowsOf = ({ yielded }: OtherDialer): number => {
    const rows = yielded?.[stream ?? 0] ?? 0
    return rows === 'all' ? Infinity : rows
  }
  return {
    rows: (others ?? []).reduce((sum, other) => sum + rowsOf(other), 0),
    remaining: (others ?? []).filter((other) => rowsOf(other) === 0),
  }
}

/** This dialer's part of the calls that the campaign wants, by the weights of these steps and of their equals elsewhere; at least one. */
export function callsHere(wanted: number, steps: readonly RouteStep[], others: Others): number {
  return wanted <= 0 || steps.length === 0 ? wanted : Math.ceil(wanted * (partOf(steps, others) ?? 1))
}

/** Rows of one operator that may be called, the steps of this dialer over which they go now, and the other dialers for them. */
type StreamPart = { rows: number; route: readonly RouteStep[]; others: Others }

/** The same where rows are by operator: an operator's part of the calls is its part of the rows that some dialer can call. */
export function callsHereOfStreams(wanted: number, streams: readonly StreamPart[]): number {
  let [all, own] = [0, 0]
  for (const { rows, route, others } of streams) {
    const part = partOf(route, others)
    if (part === null) continue
    all += Math.min(rows, wanted)
    own += Math.min(rows, wanted) * part
  }
  return all <= 0 ? 0 : Math.ceil((wanted * own) / all)
}

/** From 0 to 1. Null: no trunk has room. */
function partOf(steps: readonly RouteStep[], others: Others): number | null {
  const elsewhere = stepsElsewhere(others)
  const first = steps.toSorted(inOrder)[0]
  if (!first) return elsewhere.length > 0 ? 0 : null
  const weightOf = (all: readonly Step[]): number =>
    all.filter((step) => inOrder(step, first) === 0).reduce((sum, { weight }) => sum + weight, 0)
  return weightOf(steps) / (weightOf(steps) + weightOf(elsewhere))
}

function stepsElsewhere(others: Others): readonly Step[] {
  return carrying(others).flatMap(({ steps }) => steps.filter(({ has_room }) => has_room))
}

/** Whether a trunk with room on another dialer takes the next call. */
export function hasRoomElsewhere(others: Others): boolean {
  return stepsElsewhere(others).length > 0
}

/** What keeps each dialer of a route from its calls. Null: nothing keeps one of them, or there is none. */
export function onDialers(all: readonly { name: string; reason: string | null }[]): string | null {
  const found = all.flatMap(({ name, reason }) => (reason === null ? [] : [{ name, reason }]))
  const [first] = found
  if (!first || found.length < all.length) return null
  if (found.length === 1) return first.reason
  return found.map(({ name, reason }) => words.onDialer(name, reason)).join('; ')
}

/** What keeps another dialer from calls, for onDialers. */
export function saidOf({ name, carries, reason }: OtherDialer): { name: string; reason: string | null } {
  return { name, reason: carries ? null : (reason ?? words.noEngine(name)) }
}
