import type { Disposition } from '@ghanti/contract/campaign-status.ts'
import { congestionWaitMs, doubled } from '../../../model/calls/retry.ts'

/** A call that ended without an answer and never rang: the number's doing or the trunk's. Times are Unix ms. */
export type Refusal = {
  trunkId: number
  campaignId: number
  accountId: number
  kind: Disposition
  now: number
  timeScale: number
}

export type RefusalEffect =
  /** The outcome stands. */
  | { is: 'final' }
  /** It may be the trunk's doing, or one of a run that puts its campaign on hold: it waits for a proof. */
  | { is: 'unproven' }
  /** All calls are refused alike, whoever makes them. */
  | { is: 'trunk'; accounts: number }
  /** All calls of these campaigns are refused alike. */
  | { is: 'campaigns'; ids: readonly number[] }

/** A campaign's hold: it makes no call except, now and then, a probe, which lifts the hold when it rings. */
export type CampaignHold = {
  trunkId: number
  /** The outcome of the calls that caused the hold. Null: nobody knows. */
  kind: Disposition | null
  /** A sentence for people. */
  reason: string
  probes: number
  nextProbeAt: number
}

type Run = { kind: Disposition; calls: number }
type TrunkRun = Run & { accounts: Set<number>; campaigns: Set<number> }
/** `rangAt`: when a call last rang, since the trunk has its present settings and was last suspected. Null: none has. */
type OfTrunk = { rangAt: number | null; run: TrunkRun | null }
type OfCampaign = { run: Run | null; failed: number; runMax: number; hold: CampaignHold | null; isProbing: boolean }

/** This many equal refusals in a row are no coincidence. */
export const equalRefusalsMax = 10
/** An owner who resumes a campaign knows its numbers: its next hold takes this many times as many refusals. */
const resumedFactor = 10
/** After this many final refusals in a row, and when nothing rings over the trunk any more, earlier calls that rang prove nothing. */
const suspectAfter = 3
/** A trunk over which a call rang this recently carries calls, whatever one or two customers meet. */
const carriesMs = 10_000

/**
 * Counts equal refusals, by trunk and by campaign, and remembers which campaigns they put on hold. Where a campaign's rows are by operator, those of each
 * count as a campaign of their own (cursorIdOf).
 */
export class EqualRefusals {
  readonly #trunks = new Map<number, OfTrunk>()
  readonly #campaigns = new Map<number, OfCampaign>()
  /** Campaigns that were put on hold since this process began. One of them without a hold was released. */
  readonly #putOnHoldHere = new Set<number>()

  /** A call rang or was answered: the trunk carries calls, and not all calls of the campaign are refused. `campaignId` null: a test call. */
  rang(trunkId: number, campaignId: number | null, now: number): void {
    this.#trunks.set(trunkId, { rangAt: now, run: null })
    if (campaignId !== null) this.#campaigns.delete(campaignId)
  }

  refused({ trunkId, campaignId, accountId, kind, now, timeScale }: Refusal): RefusalEffect {
    const trunk = this.#trunk(trunkId)
    const campaign = this.#campaign(campaignId)
    campaign.run = { kind, calls: campaign.run?.kind === kind ? campaign.run.calls + 1 : 1 }
    const run: TrunkRun =
      trunk.run?.kind === kind ? trunk.run : { kind, calls: 0, accounts: new Set(), campaigns: new Set() }
    run.calls += 1
    run.accounts.add(accountId)
    run.campaigns.add(campaignId)
    trunk.run = run
    const carriesLately = trunk.rangAt !== null && now - trunk.rangAt < carriesMs * timeScale
    if (kind === 'INVALID' && run.calls >= suspectAfter && !carriesLately) trunk.rangAt = null
    const isLong = run.calls >= equalRefusalsMax
    if (isLong && run.accounts.size > 1 && !carriesLately) {
      this.unproven(trunkId)
      return { is: 'trunk', accounts: run.accounts.size }
    }
    if (campaign.run.calls >= campaign.runMax) return { is: 'campaigns', ids: [campaignId] }
    // The person who resumed it knows its numbers.
    const mayPutOnHold = campaign.runMax === equalRefusalsMax
    if (trunk.rangAt !== null) return { is: kind === 'INVALID' && mayPutOnHold ? 'unproven' : 'final' }
    const ids = isLong ? [...run.campaigns].filter((id) => this.#campaign(id).runMax === equalRefusalsMax) : []
    return ids.length > 0 ? { is: 'campaigns', ids } : { is: 'unproven' }
  }

  isProven(trunkId: number): boolean {
    return this.#trunk(trunkId).rangAt !== null
  }

  /** The trunk has new settings or its breaker opened: earlier calls that rang prove nothing. */
  unproven(trunkId: number): void {
    this.#trunks.delete(trunkId)
  }

  /** A call failed in a way that may be the trunk's doing. */
  failed(campaignId: number): void {
    this.#campaign(campaignId).failed += 1
  }

  /** The campaign is not on hold. The person who resumed it knows its numbers, as long as not too many more fail. */
  mayBePutOnHold(campaignId: number): boolean {
    const { hold, runMax, failed } = this.#campaign(campaignId)
    return hold === null && (runMax === equalRefusalsMax || failed >= runMax)
  }

  putOnHold(
    campaignId: number,
    of: { trunkId: number; kind: Disposition | null; reason: string; now: number },
    waitMs: number,
  ): void {
    const { now, ...why } = of
    const campaign = this.#campaign(campaignId)
    this.#putOnHoldHere.add(campaignId)
    campaign.run = null
    campaign.hold = { ...why, probes: 0, nextProbeAt: now + waitMs }
  }

  holdOf(campaignId: number): CampaignHold | null {
    return this.#campaigns.get(campaignId)?.hold ?? null
  }

  /** Campaigns that are on hold because of what their calls over this trunk met. */
  holdsOver(trunkId: number): CampaignHold[] {
    const holds = [...this.#campaigns.values()].flatMap(({ hold }) => hold ?? [])
    return holds.filter((hold) => hold.trunkId === trunkId && hold.kind !== null)
  }

  /** Somebody lets a campaign on hold go on all the same. */
  resumed(campaignId: number): void {
    const campaign = this.#campaigns.get(campaignId)
    if (!campaign?.hold) return
    const { runMax } = campaign
    this.#campaigns.set(campaignId, { ...newCampaign(), runMax: runMax * resumedFactor })
  }

  forget(campaignId: number): void {
    this.#campaigns.delete(campaignId)
    this.#putOnHoldHere.delete(campaignId)
  }

  /** Another engine put the campaign on hold: its probe is due. */
  found(campaignId: number, of: { trunkId: number; reason: string; now: number }): void {
    if (!this.#putOnHoldHere.has(campaignId)) this.putOnHold(campaignId, { ...of, kind: null }, 0)
  }

  /** Campaigns over this trunk need not wait for their next probe. */
  mended(trunkId: number, now: number): void {
    for (const { hold } of this.#campaigns.values()) if (hold?.trunkId === trunkId) hold.nextProbeAt = now
  }

  isAnyProbeDue(now: number): boolean {
    return [...this.#campaigns.keys()].some((id) => this.probeDue(id, now))
  }

  /** Whether a call of the campaign on hold may try. */
  probeDue(campaignId: number, now: number): boolean {
    const campaign = this.#campaigns.get(campaignId)
    return campaign?.hold ? !campaign.isProbing && campaign.hold.nextProbeAt <= now : false
  }

  probing(campaignId: number, isProbing: boolean): void {
    const campaign = this.#campaigns.get(campaignId)
    if (campaign) campaign.isProbing = isProbing
  }

  /** The probe did not ring either. */
  probeFailed(campaignId: number, now: number, timeScale: number): void {
    const hold = this.#campaigns.get(campaignId)?.hold
    if (!hold) return
    hold.probes += 1
    hold.nextProbeAt = now + firstProbeMs(timeScale, hold.probes)
  }

  #trunk(trunkId: number): OfTrunk {
    const known = this.#trunks.get(trunkId) ?? { rangAt: null, run: null }
    this.#trunks.set(trunkId, known)
    return known
  }

  #campaign(campaignId: number): OfCampaign {
    const known = this.#campaigns.get(campaignId) ?? newCampaign()
    this.#campaigns.set(campaignId, known)
    return known
  }
}

function newCampaign(): OfCampaign {
  return { run: null, failed: 0, runMax: equalRefusalsMax, hold: null, isProbing: false }
}

/** How long a campaign on hold waits for its probe: as long as a trunk does. */
export function firstProbeMs(timeScale: number, probes = 0): number {
  return doubled(congestionWaitMs, probes) * timeScale
}
