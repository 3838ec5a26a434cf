import type { Step } from './steps/steps.ts'
import type { Session } from '../dialer/session/session.ts'

/** What a tick decided and why: logged in production, asserted in tests. */
export type TickReport = {
  dialerId: number
  at: Date
  tookMs: number
  lagMs: number
  /** Calls that began. */
  dialled: number
  /** Calls that began and are not over, ringing or not yet. */
  up: number
  campaigns: { campaignId: number; status: string; did: string; reason: string | null }[]
}

export function reportOf(
  session: Session,
  steps: readonly Step[],
  begun: ReadonlyMap<number, number>,
  lagMs: number,
  tookMs: number,
): TickReport {
  return {
    dialerId: session.lease.dialerId,
    at: session.deps.clock.now(),
    tookMs: Math.round(tookMs),
    lagMs,
    dialled: [...begun.values()].reduce((sum, n) => sum + n, 0),
    up: session.switchboard.calls.length,
    campaigns: steps.map(({ campaign, did, reason }) => ({
      campaignId: campaign.id,
      status: campaign.status,
      did: begun.get(campaign.id) ? `dial ${begun.get(campaign.id)}` : did,
      reason: reason === undefined ? campaign.reason : reason,
    })),
  }
}
