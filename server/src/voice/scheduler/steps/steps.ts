import { expire, move, requeueForRetry } from './campaign.sql.ts'
import { whyOver, type Decision } from '../decide/decide.ts'
import type { CampaignRow } from '../../model/campaigns/snapshot.sql.ts'
import { words } from '../../model/campaigns/words.ts'
import { promptNames } from '../../model/calls/plan.sql.ts'
import type { Plan } from '../../model/calls/plan.ts'
import type { Preparing } from '../../prepare/preparing.ts'
import { sweep } from '../../../dispatch/reservation.sql.ts'
import type { Session } from '../../dialer/session/session.ts'

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

/** Carries out what was decided for a campaign. Calls are not claimed here: a step only says how many are wanted. */
export class CampaignSteps {
  readonly #session: Session
  readonly #preparing: Preparing
  readonly #over: (campaign: CampaignRow) => void
  /** How far campaigns have come whose rows are queued again. */
  readonly #requeueFrom = new Map<number, number>()

  /** `over`: what is done when a campaign has ended. */
  constructor(session: Session, preparing: Preparing, over: (campaign: CampaignRow) => void) {
    this.#session = session
    this.#preparing = preparing
    this.#over = over
  }

  /** `retryMs`: for how long a retried campaign may dial again. `draining`: nothing is begun any more. */
  async carryOut(
    campaign: CampaignRow,
    decision: Decision,
    { retryMs, draining }: { retryMs: number; draining: boolean },
  ): Promise<Step> {
    const { deps, changed, switchboard } = this.#session
    const step = (did: string, reason?: string | null): Step => ({ campaign, did, wanted: 0, reason })
    // Whatever is decided, and on every dialer that has such calls.
    if (campaign.ends_calls) for (const call of switchboard.ofCampaign(campaign.id)) call.cancel(true)
    switch (decision.do) {
      case 'move':
        return this.#move(campaign, decision)
      case 'start':
        return this.#start(campaign)
      case 'prepare':
        return step(!draining && this.#preparing.begin(campaign.id) ? 'prepare' : 'wait')
      case 'hangUp':
        for (const call of switchboard.ofCampaign(campaign.id)) call.cancel(decision.answered)
        return step('hang up')
      case 'sweep':
        await sweep(deps.pool, campaign.account_id)
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
    const { deps, lease, changed } = this.#session
    await deps.polls.progress.ask({ lease, campaignIds: [campaign.id] }) // before the end, so that nobody sees a complete campaign with an incomplete sum
    const moved = await move(deps.pool, lease, { campaignId: campaign.id, from: [campaign.status], ...to })
    changed.add(campaign.id)
    if (moved && ['complete', 'cancelled', 'failed'].includes(to.to)) this.#over(campaign)
    return { campaign, did: moved ? to.to : `${to.to} too late`, wanted: 0, reason: undefined }
  }

  async #expire({ id: campaignId, streams }: CampaignRow): Promise<number> {
    const { deps, lease, slot } = this.#session
    let closed = 0
    for (const stream of streams?.map((rows) => rows.stream) ?? [null])
      closed += await expire(deps.pool, lease, { campaignId, stream, rowsMax: rowsAtOnce, slot })
    return closed
  }

  /** Starts the campaign, unless one of its prompts was deleted meanwhile. */
  async #start(campaign: CampaignRow): Promise<Step> {
    if (campaign.status === 'ready') {
      this.#session.plans.forget(campaign.id)
      const plan = await this.#session.plans.of(campaign.id)
      if (this.#isSilenced(plan)) return this.#fail(campaign, plan)
    }
    return this.#move(campaign, { to: 'running', reason: null })
  }

  /** A recording or a spoken value that its calls need is lost for good. */
  #isSilenced(plan: Plan): boolean {
    return plan.gone.length > 0 || this.#session.speech.unspokenOf(plan) > 0
  }

  async #fail(campaign: CampaignRow, plan: Plan): Promise<Step> {
    const { deps, speech } = this.#session
    const reason =
      plan.gone.length > 0
        ? words.promptGone(await promptNames(deps.pool, plan.gone))
        : words.speechGone(speech.unspokenOf(plan))
    return this.#move(campaign, { to: 'failed', reason })
  }

  async #requeue(campaignId: number, moreMs: number): Promise<number> {
    const { deps, lease, slot, changed, monitor, plans } = this.#session
    const from = this.#requeueFrom.get(campaignId) ?? 0
    const batch = { campaignId, from, rows: rowsAtOnce, slot, moreMs }
    const { next, requeued } = await requeueForRetry(deps.pool, lease, batch)
    if (next === null) {
      this.#requeueFrom.delete(campaignId)
      monitor.retried(campaignId) // all its rows are queued again
      plans.forget(campaignId)
    } else this.#requeueFrom.set(campaignId, next)
    changed.add(campaignId)
    return requeued
  }

  async #demand(campaign: CampaignRow, wanted: number): Promise<Step> {
    const plan = await this.#session.plans.of(campaign.id)
    if (this.#isSilenced(plan)) return this.#fail(campaign, plan)
    return { campaign, did: 'dial', wanted, reason: null }
  }
}
