import { legsOf, longestMs, type Flow } from '@ghanti/callflow/flow.ts'
import { pulsesOf, type Price } from '@ghanti/contract/money.ts'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { hoursAt } from '../platform/rules-hours.ts'

/** The first minute of a conversation is a minute of both legs, and a little more. */
const firstMinuteMs = 61_000

/**
 * The worst case of one attempt: each leg billed for the flow's longest path (docs/design.md#reservation). Conversations with an agent are
 * reserved minute by minute, but Call Now reserves the first minute before anybody is called.
 */
export function reservePaisa(flow: Flow, price: Price): number {
  if (!flow.connect) return legsOf(flow) * onceThroughPaisa(flow, price)
  const agentPulses = pulsesOf(longestMs(flow) + firstMinuteMs, price.pulseMs)
  return (agentPulses + pulsesOf(firstMinuteMs, price.pulseMs)) * price.pulsePaisa
}

function onceThroughPaisa(flow: Flow, price: Price): number {
  return pulsesOf(longestMs(flow), price.pulseMs) * price.pulsePaisa
}

/** A typical ringing time. */
const ringMs = 15_000

/** Current limits; `speed` is the simulator's. */
export type Caps = { callsPerSecond: number; channels: number; speed: number }

export type Estimate = {
  atMostPaisa: number
  /** What each started minute with an agent adds, for both legs. Null without agents. */
  agentMinutePaisa: number | null
  oneCallPaisa: number
  /** The time to dial every row once if everyone answers and listens to the end. Null while nothing may be dialled. */
  seconds: number | null
}

export function estimate(flow: Flow, price: Price, rows: number, caps: Caps): Estimate {
  const perSecond = Math.min(caps.callsPerSecond, caps.channels / ((ringMs + longestMs(flow)) / caps.speed / 1000))
  return {
    atMostPaisa: rows * onceThroughPaisa(flow, price),
    agentMinutePaisa: legsOf(flow) === 2 ? 2 * pulsesOf(60_000, price.pulseMs) * price.pulsePaisa : null,
    oneCallPaisa: reservePaisa(flow, price),
    seconds: perSecond > 0 ? Math.ceil(rows / perSecond) : null,
  }
}

/** The estimate looks ahead no further than this many openings. */
const openingsMax = 400

/** When `seconds` of dialling are over, starting at `start` and pausing outside the calling hours; null when they never open. */
export function doneAt(hours: CallingHours, start: Date, seconds: number): Date | null {
  let at = start.getTime()
  let left = seconds * 1000
  for (let opening = 0; opening < openingsMax; opening++) {
    const now = hoursAt(hours, new Date(at))
    if (!now.open) {
      if (!now.opensAt) return null
      at = now.opensAt.getTime()
      continue
    }
    if (!now.until || at + left <= now.until.getTime()) return new Date(at + left)
    left -= now.until.getTime() - at
    at = now.until.getTime()
  }
  return null
}
