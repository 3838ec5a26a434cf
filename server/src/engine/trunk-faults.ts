import { congestionWaitMs, doubled } from './retry.ts'
import type { TrunkSign } from './disposition.ts'

/**
 * What is known of a trunk.
 * - open: calls pass       - held: no calls until `nextProbeAt`, then one: the probe, which lifts the hold or makes it longer
 */
export type TrunkHealth = {
  /** Of the last calls, newest last; redials that fail are not in it. */
  recent: readonly Exclude<TrunkSign, 'broken' | 'congested'>[]
  /** How many of the newest are faults, or found no room. */
  running: number
  /** `refusing`: for refusals, so that nothing but a call that rings proves anything. */
  held: null | { since: number; reason: string; probes: number; nextProbeAt: number; refusing: boolean }
}

export const healthy: TrunkHealth = { recent: [], running: 0, held: null }

const recentMax = 50
const runningMax = 10
/** 30 % of the last 50. */
const shareMax = 15

/** A call, as far as it says something of its trunk. */
export type Judged = {
  redial: boolean
  probe: boolean
  rang: boolean
  /** Of one that found no room: it began after the rate was last made slower, or its row met that before and nothing proves that it is its own doing. */
  isNews: boolean
  cause: string
  now: number
  timeScale: number
}

export type Observed = {
  health: TrunkHealth
  /** This call is to be booked as CONGESTION, though the far end said no: the trunk says no to everything. */
  isFault: boolean
}

/**
 * A call over the trunk ended (without the ones that we cut), or rang: then the trunk has carried it, whatever comes. Told as soon as it rings,
 * since refusals come within a second and answers last: the first ends of a campaign that begins would be failures.
 * `redial`: its row had met CONGESTION, FAILED or REJECTED before, and the trunk carries calls, so what it meets again is the number's. `probe`: the one call that a held trunk
 * is given. `rang`: or more. `cause` in words. Times are Unix ms; `timeScale` shortens the waits.
 */
export function observe(health: TrunkHealth, call: Judged & { sign: TrunkSign }): Observed {
  const { sign, now } = call
  if (health.held) {
    if (!call.probe) return { health, isFault: health.held.refusing && !call.rang }
    const carried = health.held.refusing ? call.rang : sign === 'good' || sign === 'refusal'
    if (carried) return { health: healthy, isFault: false }
    return { health: hold(health, call, call.cause, health.held.refusing), isFault: true }
  }
  if (sign === 'broken') return { health: hold(health, { ...call, now }, call.cause), isFault: true }
  if (sign === 'congested') return congested(health, call)
  if (call.redial && sign !== 'good') return { health, isFault: sign === 'fault' }
  const recent = [...health.recent, sign].slice(-recentMax)
  const running = sign === 'fault' ? health.running + 1 : 0
  const faults = recent.filter((one) => one === 'fault').length
  const refusals = recent.filter((one) => one === 'refusal').length
  const next: TrunkHealth = { recent, running, held: null }
  if (running >= runningMax)
    return { health: hold(next, call, `${running} calls running failed: ${call.cause}`), isFault: true }
  if (faults >= shareMax)
    return {
      health: hold(next, call, `${faults} of the last ${recent.length} calls failed: ${call.cause}`),
      isFault: true,
    }
  if (refusals > shareMax)
    return {
      health: hold(next, call, `${refusals} of the last ${recent.length} calls were refused: ${call.cause}`, true),
      isFault: true,
    }
  return { health: next, isFault: sign === 'fault' }
}

/** No fault while some pass: calls go out slower. Only ten times slower, one after the other, and still no room is a trunk that takes nothing. */
function congested(health: TrunkHealth, call: Judged): Observed {
  const running = health.running + Number(call.isNews)
  const next = { ...health, running }
  if (running < runningMax) return { health: next, isFault: true }
  return { health: hold(next, call, `${running} calls running failed: ${call.cause}`), isFault: true }
}

/** Calls were refused alike, whoever made them: nothing passes until one rings. */
export function heldForRefusals(health: TrunkHealth, reason: string, now: number, timeScale: number): TrunkHealth {
  return health.held ? health : hold(health, { now, timeScale }, reason, true)
}

/** May the probe be dialled? */
export function probeDue(health: TrunkHealth, now: number): boolean {
  return health.held !== null && health.held.nextProbeAt <= now
}

/** The trunk may have been mended: where it is held, its probe need not wait. */
export function withProbeDue(health: TrunkHealth, now: number): TrunkHealth {
  const { held } = health
  return held && held.nextProbeAt > now ? { ...health, held: { ...held, nextProbeAt: now } } : health
}

function hold(
  health: TrunkHealth,
  call: { now: number; timeScale: number },
  reason: string,
  refusing = false,
): TrunkHealth {
  const probes = health.held ? health.held.probes + 1 : 0
  const nextProbeAt = call.now + doubled(congestionWaitMs, probes) * call.timeScale
  const since = health.held?.since ?? call.now
  return { recent: [], running: 0, held: { since, reason, probes, nextProbeAt, refusing } }
}
