import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { hoursAt } from '../../../modules/platform/rules-hours.ts'
import type { Prompts } from '../../dialer/audio/sound-cache.ts'
import type { Preparing } from '../../prepare/preparing.ts'
import type { DecisionContext } from './decide.ts'
import { faultByOperator, faultsHere } from './stream-reasons.ts'
import { QueueWaits } from '../snapshot/queue-waits.ts'
import type { Session } from '../../dialer/session/session.ts'
import type { BlockRow, CampaignRow } from '../../model/campaigns/snapshot.sql.ts'
import type { Snapshot } from '../snapshot/snapshots.ts'
import { streamsHere } from '../../model/campaigns/route.ts'

/** A dialer that has been silent for this long has its campaigns put on hold. */
const downMsMax = 10_000

/** Gathers what the next step of a campaign depends on: of the snapshot, of the dialer with its trunks, and of the sounds. */
export class DecisionContexts {
  readonly #session: Session
  readonly #preparing: Preparing
  readonly #queueWaits: QueueWaits

  constructor(session: Session, preparing: Preparing) {
    this.#session = session
    this.#preparing = preparing
    this.#queueWaits = new QueueWaits(session.deps.pool)
  }

  async of(campaign: CampaignRow, snapshot: Snapshot): Promise<DecisionContext> {
    const { trunks, down, deps, timeScale, health } = this.#session
    const now = deps.clock.now()
    const hours = snapshot.hoursOf(campaign.payer_ids)
    const { blocks } = snapshot
    const isBlocked = isBlockedBy(blocks)
    const faults = faultsHere(campaign, { now, trunks, blocks, isBlocked, refusals: health.refusals })
    return {
      now,
      dialer: trunks.dialer,
      dialerDown: down && {
        reason: down.reason,
        long: trunks.dialer.given_up || performance.now() - down.since > downMsMax * timeScale,
      },
      trunk: trunks.foremost(campaign, isBlocked),
      faultByOperator: faultByOperator(campaign, faults),
      faultsHere: faults,
      hours,
      blocks,
      prompts: needsPrompts(campaign, hours, now) ? await this.promptsOf(campaign) : 'ready',
      preparing: this.#preparing.has(campaign.id),
      refused: health.refusalsOf(campaign, now.getTime()),
      queueWait: await this.#queueWaits.of(campaign),
    }
  }

  /** Whether the campaign's recordings and the values of its next rows are on the dialer. */
  async promptsOf(campaign: CampaignRow): Promise<Prompts> {
    const streams = campaign.streams && streamsHere(campaign, campaign.streams)
    const ofThisDialer = { ...campaign, streams: streams?.length === 0 ? campaign.streams : streams }
    return this.#session.speech.promptsOf(await this.#session.plans.of(campaign.id), ofThisDialer)
  }

  over(campaignId: number): void {
    this.#queueWaits.over(campaignId)
  }
}

/** Whether somebody has stopped all dialling over a trunk. */
export function isBlockedBy(blocks: readonly BlockRow[]): (trunkId: number) => boolean {
  return (trunkId) => blocks.some(({ kind, target_id }) => kind === 'trunk' && target_id === trunkId)
}

/** Whether the campaign's calls may begin soon. A restarted dialer is not asked for the sounds of every campaign. */
function needsPrompts({ status, hold_cause }: CampaignRow, hours: CallingHours, now: Date): boolean {
  if (status === 'processing') return true
  const begins = status === 'ready' || status === 'running' || (status === 'onHold' && hold_cause === 'prompts')
  return begins && hoursAt(hours, now).open
}
