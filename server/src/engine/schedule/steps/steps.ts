import { expire, move, requeueForRetry } from './campaign.sql.ts'
import { whyOver, type Decision } from '../decide/decide.ts'
import type { CampaignRow } from '../snapshot/snapshot.sql.ts'
import { words } from '../decide/words.ts'
import type { SpeechCache } from '../../audio/speech-cache.ts'
import { promptNames } from '../../call/plan.sql.ts'
import type { Plan } from '../../call/plan.ts'
import type { Plans } from '../../call/plans.ts'
import type { Switchboard } from '../../dial/switchboard.ts'
import type { Preparing } from '../../prepare/preparing.ts'
import { writeProgress } from '../../settle/progress.sql.ts'
import { sweep } from '../../settle/reservation.sql.ts'
import type { Lease, Queryable } from '../../statement.ts'

/** Rows that one step expires or queues again: the campaign's next tick goes on. */
const rowsAtOnce = 10_000

/** What was done for a campaign in a tick. `reason` undefined: the stored reason stays. */
export type Step = {
  campaign: CampaignRow
  did: string
  wanted: number
  reason: string | null | undefined
  /** A call may try one of its trunks that is on hold, although it begins no others here. */
  tries?: boolean
}

export type StepPorts = {
  pool: Queryable
  lease: Lease
  slot: number
  plans: Plans
  speech: Pick<SpeechCache, 'unspokenOf'>
  switchboard: Pick<Switchboard, 'ofCampaign'>
  preparing: Preparing
  changed: Set<number>
  over(campaign: CampaignRow): void
  /** All its rows are queued again. */
  retried(campaignId: number): void
}

/** Carries out what was decided for a campaign. Calls are not claimed here: a step only says how many are wanted. */
export class CampaignSteps {
  readonly #ports: StepPorts
  /** How far campaigns have come whose rows are queued again. */
  readonly #requeueFrom = new Map<number, number>()

  constructor(ports: StepPorts) {
    this.#ports = ports
  }

  /** `retryMs`: for how long a retried campaign may dial again. `draining`: nothing is begun any more. */
  async carryOut(
    campaign: CampaignRow,
    decision: Decision,
    { retryMs, draining }: { retryMs: number; draining: boolean },
  ): Promise<Step> {
    const { pool, changed, switchboard, preparing } = this.#ports
    const step = (did: string, reason?: string | null): Step => ({ campaign, did, wanted: 0, reason })
    switch (decision.do) {
      case 'move':
        return this.#move(campaign, decision)
      case 'start':
        return this.#start(campaign)
      case 'prepare':
        return step(!draining && preparing.begin(campaign.id) ? 'prepare' : 'wait')
      case 'hangUp':
        for (const call of switchboard.ofCampaign(campaign.id)) call.cancel(decision.answered)
        return step('hang up')
      case 'sweep':
        await sweep(pool, campaign.account_id)
        return step('sweep')
      case 'expire':
        changed.add(campaign.id)
        return step(`expire ${await this.#expire(campaign)}`, whyOver(campaign))
      case 'requeue':
        return step(`requeue ${await this.#requeue(campaign.id, retryMs)}`, words.requeueing)
      case 'dial':
        return this.#demand(campaign, decision.wanted)
      case 'wait':
        return { ...step('wait', decision.reason), tries: decision.tries ?? false }
    }
  }

  async #move(campaign: CampaignRow, to: Omit<Extract<Decision, { do: 'move' }>, 'do'>): Promise<Step> {
    const { pool, lease, changed } = this.#ports
    await writeProgress(pool, lease, [campaign.id]) // before the end, so that nobody sees a complete campaign with an incomplete sum
    const moved = await move(pool, lease, { campaignId: campaign.id, from: [campaign.status], ...to })
    changed.add(campaign.id)
    if (moved && ['complete', 'cancelled', 'failed'].includes(to.to)) this.#ports.over(campaign)
    return { campaign, did: moved ? to.to : `${to.to} too late`, wanted: 0, reason: undefined }
  }

  async #expire({ id: campaignId, streams }: CampaignRow): Promise<number> {
    const { pool, lease, slot } = this.#ports
    let closed = 0
    for (const stream of streams?.map((rows) => rows.stream) ?? [null])
      closed += await expire(pool, lease, { campaignId, stream, rowsMax: rowsAtOnce, slot })
    return closed
  }

  /** Starts the campaign, unless one of its prompts was deleted meanwhile. */
  async #start(campaign: CampaignRow): Promise<Step> {
    if (campaign.status === 'ready') {
      this.#ports.plans.forget(campaign.id)
      const plan = await this.#ports.plans.of(campaign.id)
      if (this.#isSilenced(plan)) return this.#fail(campaign, plan)
    }
    return this.#move(campaign, { to: 'running', reason: null })
  }

  /** A recording or a spoken value that its calls need is lost for good. */
  #isSilenced(plan: Plan): boolean {
    return plan.gone.length > 0 || this.#ports.speech.unspokenOf(plan) > 0
  }

  async #fail(campaign: CampaignRow, plan: Plan): Promise<Step> {
    const { pool, speech } = this.#ports
    const reason =
      plan.gone.length > 0
        ? words.promptGone(await promptNames(pool, plan.gone))
        : words.speechGone(speech.unspokenOf(plan))
    return this.#move(campaign, { to: 'failed', reason })
  }

  async #requeue(campaignId: number, moreMs: number): Promise<number> {
    const { pool, lease, slot, changed } = this.#ports
    const from = this.#requeueFrom.get(campaignId) ?? 0
    const batch = { campaignId, from, rows: rowsAtOnce, slot, moreMs }
    const { next, requeued } = await requeueForRetry(pool, lease, batch)
    if (next === null) {
      this.#requeueFrom.delete(campaignId)
      this.#ports.retried(campaignId)
      this.#ports.plans.forget(campaignId)
    } else this.#requeueFrom.set(campaignId, next)
    changed.add(campaignId)
    return requeued
  }

  async #demand(campaign: CampaignRow, wanted: number): Promise<Step> {
    const plan = await this.#ports.plans.of(campaign.id)
    if (this.#isSilenced(plan)) return this.#fail(campaign, plan)
    return { campaign, did: 'dial', wanted, reason: null }
  }
}
