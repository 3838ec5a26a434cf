import { congestionWaitMs, doubled } from '../../../model/calls/retry.ts'
import type { TrunkSign } from '../../../model/calls/disposition.ts'

/**
 * The circuit breaker of a trunk.
 * - closed (`opened` null): calls pass.
 * - open (`opened`): no calls until `nextProbeAt`.
 * - half-open (`opened`, and `nextProbeAt` has come): one call, the probe, which closes the breaker or opens it for longer.
 */
export type TrunkHealth = {
  /** The last calls, newest last, without redials that failed. */
  recent: readonly Recent[]
  /** How many in a row, up to the newest, were faults or found no room. */
  running: number
  /** Accounts whose campaigns were put on hold because their own calls failed, since a call over the trunk last rang. */
  suspects: readonly number[]
  /** `refusing`: opened because of refusals, so only a call that rings closes it. */
  opened: null | { since: number; reason: string; probes: number; nextProbeAt: number; refusing: boolean }
}

export const healthy: TrunkHealth = { recent: [], running: 0, suspects: [], opened: null }

type Recent = { sign: Exclude<TrunkSign, 'broken' | 'congested'>; accountId: number; campaignId: number }

const recentMax = 50
const runningMax = 10
/** 30 % of the last 50. */
const failedMax = 15
/** The ratio among the calls of the other accounts that shows that they meet the same. */
const othersRatio = failedMax / recentMax

/** What a call shows about its trunk. */
export type ObservedCall = {
  accountId: number
  campaignId: number
  /** A call of the trunk has rung since there was last a reason to doubt it. */
  isProven: boolean
  redial: boolean
  probe: boolean
  rang: boolean
  /**
   * For a call that found no room: it began after the rate was last lowered, or its row met this before and nothing proves that the number is
   * the reason.
   */
  isNewEvidence: boolean
  cause: string
  now: number
  timeScale: number
}

export type Observed = {
  health: TrunkHealth
  /** This call is settled as CONGESTION although the far end refused it: the trunk refuses everything. */
  isFault: boolean
  /** Calls of one account alone fail: these campaigns of it are to be put on hold, and not the trunk. Null: none. */
  campaigns: { ids: readonly number[]; reason: string } | null
}

/**
 * Records that a call over the trunk rang or ended (except the ones that we cut). A call that rings shows at once that the trunk carries
 * calls, whatever comes. This is reported as soon as it rings, because refusals come within a second and answers last, so the first ends of a
 * campaign would all be failures.
 * `redial`: its row had met CONGESTION, FAILED or REJECTED before and the trunk carries calls, so what it meets again is the number's doing.
 * `probe`: the one call that an open breaker lets through. `rang`: also early media or an answer. `cause` is a sentence. Times are Unix ms; `timeScale`
 * shortens the waits.
 */
export function observe(health: TrunkHealth, call: ObservedCall & { sign: TrunkSign }): Observed {
  const { sign, now, accountId, campaignId } = call
  const campaigns = null
  if (health.opened) {
    if (!call.probe) return { health, isFault: health.opened.refusing && !call.rang, campaigns }
    const carried = health.opened.refusing ? call.rang : sign === 'good' || sign === 'refusal'
    if (carried) return { health: healthy, isFault: false, campaigns }
    return { health: opened(health, call, call.cause, health.opened.refusing), isFault: true, campaigns }
  }
  if (sign === 'broken') return { health: opened(health, { ...call, now }, call.cause), isFault: true, campaigns }
  if (sign === 'congested') return congested(health, call)
  if (call.redial && sign !== 'good') return { health, isFault: sign === 'fault', campaigns }
  const next: TrunkHealth = {
    recent: [...health.recent, { sign, accountId, campaignId }].slice(-recentMax),
    running: sign === 'fault' ? health.running + 1 : 0,
    suspects: call.rang ? [] : health.suspects,
    opened: null,
  }
  const complaint = complaintOf(next, call.cause)
  if (!complaint) return { health: next, isFault: sign === 'fault', campaigns }
  const { reason, refusing } = complaint
  if (isOfTrunk(next, complaint, call.isProven))
    return { health: opened(next, call, reason, refusing), isFault: true, campaigns }
  const leading = leadingOf(complaint.of)
  const ids = new Set(complaint.of.filter((one) => one.accountId === leading).map((one) => one.campaignId))
  const others = next.recent.filter((one) => one.accountId !== leading)
  return {
    health: { ...next, recent: others, running: 0, suspects: [...next.suspects, leading] },
    isFault: sign !== 'good',
    campaigns: { ids: [...ids], reason },
  }
}

/** The calls that speak against the trunk, and the reason in words. `refusing`: they were refused, not faulty. */
type Complaint = { of: readonly Recent[]; isRun: boolean; reason: string; refusing: boolean }

function complaintOf({ recent, running }: TrunkHealth, cause: string): Complaint | null {
  const faults = recent.filter(({ sign }) => sign === 'fault')
  const refusals = recent.filter(({ sign }) => sign === 'refusal')
  if (running >= runningMax) {
    const reason = `${running} calls running failed: ${cause}`
    const of = recent.slice(-running).filter(({ sign }) => sign === 'fault')
    return { of, isRun: true, reason, refusing: false }
  }
  if (faults.length >= failedMax) {
    const reason = `${faults.length} of the last ${recent.length} calls failed: ${cause}`
    return { of: faults, isRun: false, reason, refusing: false }
  }
  if (refusals.length <= failedMax) return null
  const reason = `${refusals.length} of the last ${recent.length} calls were refused: ${cause}`
  return { of: refusals, isRun: false, reason, refusing: true }
}

/**
 * Numbers of one account can always fail, so they prove nothing about the trunk. It takes two accounts: faults of both in a run, or a third of
 * each one's calls. One account alone opens the breaker only when nothing has rung over it and nobody else calls.
 */
function isOfTrunk({ recent, suspects }: TrunkHealth, { of, isRun }: Complaint, isProven: boolean): boolean {
  const leading = leadingOf(of)
  const others = recent.filter(({ accountId }) => accountId !== leading)
  const failed = of.filter(({ accountId }) => accountId !== leading)
  if (suspects.some((accountId) => accountId !== leading)) return true
  if (others.length === 0) return !isProven
  return failed.length > 0 && (isRun || failed.length >= othersRatio * others.length)
}

/** The account with most of the failures. */
function leadingOf(calls: readonly Recent[]): number {
  const byAccount = Map.groupBy(calls, ({ accountId }) => accountId)
  const [leading] = [...byAccount].toSorted(([, a], [, b]) => b.length - a.length)
  return leading?.[0] ?? 0
}

/**
 * A lack of room is no fault while some calls pass: calls only go out more slowly. A trunk that still has no room at a tenth of its rate, several
 * calls in a row, takes nothing.
 */
function congested(health: TrunkHealth, call: ObservedCall): Observed {
  const running = health.running + Number(call.isNewEvidence)
  const next = { ...health, running }
  const campaigns = null
  if (running < runningMax) return { health: next, isFault: true, campaigns }
  return { health: opened(next, call, `${running} calls running failed: ${call.cause}`), isFault: true, campaigns }
}

/** Opens the breaker because calls were refused alike, whoever made them. Only a call that rings closes it. */
export function openedForRefusals(health: TrunkHealth, reason: string, now: number, timeScale: number): TrunkHealth {
  return health.opened ? health : opened(health, { now, timeScale }, reason, true)
}

/** Whether the probe may be dialled. */
export function probeDue(health: TrunkHealth, now: number): boolean {
  return health.opened !== null && health.opened.nextProbeAt <= now
}

/** The trunk may have been mended: if its breaker is open, its probe is due at once. */
export function withProbeDue(health: TrunkHealth, now: number): TrunkHealth {
  const { opened } = health
  return opened && opened.nextProbeAt > now ? { ...health, opened: { ...opened, nextProbeAt: now } } : health
}

function opened(
  health: TrunkHealth,
  call: { now: number; timeScale: number },
  reason: string,
  refusing = false,
): TrunkHealth {
  const probes = health.opened ? health.opened.probes + 1 : 0
  const nextProbeAt = call.now + doubled(congestionWaitMs, probes) * call.timeScale
  const since = health.opened?.since ?? call.now
  return { ...healthy, opened: { since, reason, probes, nextProbeAt, refusing } }
}
