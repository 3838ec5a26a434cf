import { why } from '../model/campaigns/claim.sql.ts'
import { hereOf, type DecisionContext } from './decide/decide.ts'
import { inWords, type FaultsHere, type StreamFault } from './decide/no-dialer.ts'
import { reasonsOfStreams, type StreamReason } from './decide/stream-reasons.ts'
import { words } from '../model/campaigns/words.ts'
import type { PutOffRows } from './claim/put-off-rows.ts'
import { sharedInWords } from './capacity/shared-campaigns.ts'
import type { CampaignRow } from '../model/campaigns/snapshot.sql.ts'
import { explain, explainStreams, type Explanation } from './steps/campaign.sql.ts'
import type { Step } from './steps/steps.ts'
import type { Session } from '../dialer/session/session.ts'

/** By campaign. */
type ReasonsOfStreams = ReadonlyMap<number, readonly StreamReason[]>

/** Stores why campaigns do not dial, as their pages show it. */
export class Explanations {
  readonly #session: Session
  readonly #numbers: PutOffRows
  /** What keeps this dialer from the calls of each campaign whose rows are by operator. */
  readonly #here = new Map<number, FaultsHere>()

  constructor(session: Session, numbers: PutOffRows) {
    this.#session = session
    this.#numbers = numbers
  }

  /** Called when a tick begins; it notes its campaigns again. */
  forgetAll(): void {
    this.#here.clear()
  }

  note(campaign: CampaignRow, context: DecisionContext): void {
    if (campaign.streams) this.#here.set(campaign.id, hereOf(campaign, context))
  }

  /** `begun`: how many calls of each campaign this tick began; 0 when it tried in vain. `calm`: it was allowed to begin calls. */
  async write(steps: readonly Step[], begun: ReadonlyMap<number, number>, calm: boolean): Promise<void> {
    const ofStreams = this.#reasonsOfStreams(steps)
    await this.#writeCampaigns(steps, begun, { calm, ofStreams })
    await this.#writeStreams(ofStreams)
  }

  /** A sentence when the dialer, not the trunks, limits the calls; otherwise null. */
  #slowInWords(): string | null {
    const { queue, trunks } = this.#session
    const { slow } = queue
    return slow && words.dialerSlow(trunks.dialer.name, slow.answersInMs, slow.callsPerSecond)
  }

  async #writeCampaigns(
    steps: readonly Step[],
    begun: ReadonlyMap<number, number>,
    { calm, ofStreams }: { calm: boolean; ofStreams: ReasonsOfStreams },
  ): Promise<void> {
    const { deps, lease, trunks } = this.#session
    const explanations: Explanation[] = []
    const slow = calm ? this.#slowInWords() : null
    for (const step of steps.filter(({ campaign }) => campaign.leads)) {
      const { campaign } = step
      if (step.wanted > 0)
        step.reason =
          sharedInWords(campaign, trunks.dialer.name) ?? slow ?? (calm ? trunks.slowedInWords(campaign) : null)
      if (step.wanted > 0 && campaign.in_call === 0 && !begun.get(campaign.id)) {
        const waits = this.#numbers.reasonOf(campaign.id, deps.clock.now()) ?? inWords(faultsOf(ofStreams, campaign.id))
        step.reason = calm ? (trunks.inTheWay(campaign) ?? waits ?? step.reason) : words.overloaded
        if (begun.has(campaign.id))
          step.did = `dial nothing: ${JSON.stringify(await why(deps.pool, lease, campaign.id, campaign.payer_ids))}`
      }
      if (step.reason !== undefined && step.reason !== campaign.reason)
        explanations.push({ campaignId: campaign.id, status: campaign.status, reason: step.reason })
    }
    await explain(deps.pool, lease, explanations)
  }

  /** For campaigns whose rows are by operator: which of these rows wait, and why. */
  #reasonsOfStreams(steps: readonly Step[]): ReasonsOfStreams {
    const { deps, trunks, switchboard } = this.#session
    const now = deps.clock.now()
    const reasons = new Map<number, readonly StreamReason[]>()
    for (const { campaign } of steps) {
      const here = this.#here.get(campaign.id)
      if (!here || !campaign.leads) continue
      reasons.set(campaign.id, reasonsOfStreams(campaign, switchboard.ofCampaign(campaign.id), { now, trunks, here }))
    }
    return reasons
  }

  async #writeStreams(ofStreams: ReasonsOfStreams): Promise<void> {
    const { deps, lease } = this.#session
    const changed = [...ofStreams].flatMap(([campaignId, reasons]) =>
      reasons.flatMap(({ stream, reason }) =>
        reason === stream.reason ? [] : [{ campaignId, stream: stream.stream, reason }],
      ),
    )
    await explainStreams(deps.pool, lease, changed)
  }
}

function faultsOf(ofStreams: ReasonsOfStreams, campaignId: number): StreamFault[] {
  return (ofStreams.get(campaignId) ?? []).map(({ stream, reason }) => ({ stream: stream.stream, reason }))
}
