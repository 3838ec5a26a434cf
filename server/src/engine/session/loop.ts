import { decide, type Decision, type DecisionContext } from '../schedule/decide.ts'
import { claim, why } from '../schedule/claim.sql.ts'
import { expire, explain, move, requeueForRetry, type Explanation } from '../schedule/campaign.sql.ts'
import { sweep } from '../settle/reservation.sql.ts'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { hoursAt } from '../../modules/platform/rules-hours.ts'
import { byTrunk, firstTurn, share, type RoundRobin, type Demand } from '../schedule/pacing.ts'
import type { Plan } from '../call/plan.ts'
import { probe } from '../trunks/probes.ts'
import { Preparing, type Prepare } from '../prepare/preparing.ts'
import { PutOffRows } from '../schedule/put-off-rows.ts'
import { Resting } from '../schedule/resting.ts'
import type { Session } from './session.ts'
import type { Prompts } from '../audio/sound-cache.ts'
import type { Snapshot } from '../schedule/snapshots.ts'
import { words } from '../schedule/words.ts'
import { writeProgress } from '../settle/progress.sql.ts'
import { promptNames } from '../call/plan.sql.ts'
import type { CampaignRow } from '../schedule/snapshot.sql.ts'

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

/** How often a tick is due. */
export const tickMs = 250
/** While the event loop is later than this, no call begins: calls in progress come first. */
const lagMsMax = 200
/** Nor while more outcomes than this wait to be written, because the database then cannot keep up. */
const waitingMax = 1000
/** A dialer that has been silent for this long has its campaigns put on hold. */
const downMsMax = 10_000
/** A tick stops claiming after this time, so that it notices a pause or a stop, and claimed calls ring soon. */
const claimsMs = 200
const rowsAtOnce = 10_000
const dayMs = 24 * 3600_000
const sinceMs = 5000
const waitingEveryMs = 1000

/**
 * Runs the ticks of a dialer. A tick reads the database, decides the next step of each campaign, claims calls as far as the lines allow, and
 * stores the reason why a campaign does not dial.
 */
export class Loop {
  /** Calls that are up go on, but none begins. */
  draining = false
  readonly #session: Session
  readonly #preparing: Preparing
  readonly #lagMs: () => number
  readonly #requeueFrom = new Map<number, number>()
  readonly #since = new Map<number, { dueAt: Date; until: number }>()
  readonly #claimedAt = new Map<number, number>()
  #turns: RoundRobin = firstTurn
  #waitingAt = -Infinity
  readonly #numbers: PutOffRows
  readonly #resting: Resting

  constructor(session: Session, prepare: Prepare, lagMs: () => number) {
    this.#session = session
    this.#preparing = new Preparing(session, prepare)
    this.#lagMs = lagMs
    this.#numbers = new PutOffRows(session.deps.pool, session.lease)
    this.#resting = new Resting(session.deps.pool)
  }

  async tick(): Promise<TickReport> {
    const began = performance.now()
    const lagMs = Math.round(this.#lagMs())
    const session = this.#session
    void session.ensureConnected()
    const snapshot = await this.#readSnapshot(began)
    const steps = await this.#decideAll(snapshot)
    const calm = lagMs <= lagMsMax && session.writer.waiting <= waitingMax && !this.draining
    const begun = new Map<number, number>()
    if (steps.length > 0) await this.#dial(steps, begun, calm)
    session.checkOverdue()
    return reportOf(session, steps, begun, lagMs, performance.now() - began)
  }

  /** Resolves when nothing is under way any more. */
  async end(): Promise<void> {
    await this.#preparing.end()
  }

  async #readSnapshot(now: number): Promise<Snapshot> {
    const session = this.#session
    const at = session.deps.clock.now().getTime()
    const isProbeDue = session.lines.probesDue(at).length > 0 || session.health.refusals.isAnyProbeDue(at)
    const waitingToo = isProbeDue || now - this.#waitingAt >= waitingEveryMs
    if (waitingToo) this.#waitingAt = now
    const snapshot = await session.deps.polls.snapshots.of(session.lease.dialerId, waitingToo)
    const { dialer, trunks } = snapshot
    if (dialer) session.lines.update(dialer, trunks)
    session.tellTrunks()
    session.monitor.setUp(session.lines.dialer, trunks, snapshot.campaigns)
    this.#numbers.operators = snapshot.operators
    if (snapshot.campaigns.length > 0) await this.#numbers.capsAre(snapshot.numberCaps)
    return snapshot
  }

  async #decideAll(snapshot: Snapshot): Promise<Step[]> {
    const steps: Step[] = []
    for (const campaign of snapshot.campaigns) {
      let doing = 'decide'
      try {
        const context = await this.#contextOf(campaign, snapshot)
        this.#session.hours.set(campaign.id, context.hours)
        const decision = decide(campaign, context)
        doing = decision.do
        steps.push(await this.#carryOut(campaign, decision, snapshot))
      } catch (error) {
        this.#session.log.error({ error, campaignId: campaign.id, doing }, 'a step of a campaign failed')
        steps.push({ campaign, did: `${doing} failed`, wanted: 0, reason: undefined })
      }
    }
    return steps
  }

  async #contextOf(campaign: CampaignRow, snapshot: Snapshot): Promise<DecisionContext> {
    const { lines, down, deps, timeScale } = this.#session
    const now = deps.clock.now()
    const hours = snapshot.hoursOf(campaign.payer_ids)
    return {
      now,
      dialer: lines.dialer,
      dialerDown: down && {
        reason: down.reason,
        long: lines.dialer.given_up || performance.now() - down.since > downMsMax * timeScale,
      },
      trunk: lines.trunk(campaign.trunk_id),
      hours,
      blocks: snapshot.blocks,
      prompts: needsPrompts(campaign, hours, now) ? await this.#promptsOf(campaign) : 'ready',
      preparing: this.#preparing.has(campaign.id),
      refused: this.#session.health.refusalsOf(campaign, now.getTime()),
      rests: await this.#resting.of(campaign),
    }
  }

  /** Whether the campaign's recordings and the values of its next rows are on the dialer. */
  async #promptsOf(campaign: CampaignRow): Promise<Prompts> {
    return this.#session.speech.promptsOf(await this.#session.plans.of(campaign.id), campaign)
  }

  async #carryOut(campaign: CampaignRow, decision: Decision, snapshot: Snapshot): Promise<Step> {
    const { pool } = this.#session.deps
    const { lease, slot, changed } = this.#session
    const step = (did: string, reason?: string | null): Step => ({ campaign, did, wanted: 0, reason })
    switch (decision.do) {
      case 'move':
        return this.#move(campaign, decision)
      case 'start':
        return this.#start(campaign)
      case 'prepare':
        return step(!this.draining && this.#preparing.begin(campaign.id) ? 'prepare' : 'wait')
      case 'hangUp':
        for (const call of this.#session.switchboard.ofCampaign(campaign.id)) call.cancel(decision.answered)
        return step('hang up')
      case 'sweep':
        await sweep(pool, campaign.account_id)
        return step('sweep')
      case 'expire':
        changed.add(campaign.id)
        return step(`expire ${await expire(pool, lease, campaign.id, rowsAtOnce, slot)}`, words.expiring)
      case 'requeue':
        return step(`requeue ${await this.#requeue(campaign.id, snapshot.dialDays * dayMs)}`, words.requeueing)
      case 'dial':
        return this.#demand(campaign, decision.wanted)
      case 'wait':
        return step('wait', decision.reason)
    }
  }

  async #move(campaign: CampaignRow, to: Omit<Extract<Decision, { do: 'move' }>, 'do'>): Promise<Step> {
    const { lease, changed, deps } = this.#session
    await writeProgress(deps.pool, lease, [campaign.id]) // before the end, so that nobody sees a complete campaign with an incomplete sum
    const moved = await move(deps.pool, lease, { campaignId: campaign.id, from: [campaign.status], ...to })
    changed.add(campaign.id)
    if (moved && ['complete', 'cancelled', 'failed'].includes(to.to)) {
      this.#session.plans.forget(campaign.id)
      this.#session.monitor.over(campaign.id, campaign.attempts)
      this.#session.hours.delete(campaign.id)
      this.#session.health.refusals.forget(campaign.id)
      this.#claimedAt.delete(campaign.id)
      this.#numbers.over(campaign.id)
      this.#resting.over(campaign.id)
      this.#since.delete(campaign.id)
    }
    return { campaign, did: moved ? to.to : `${to.to} too late`, wanted: 0, reason: undefined }
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
    const { speech, deps } = this.#session
    const reason =
      plan.gone.length > 0
        ? words.promptGone(await promptNames(deps.pool, plan.gone))
        : words.speechGone(speech.unspokenOf(plan))
    return this.#move(campaign, { to: 'failed', reason })
  }

  async #requeue(campaignId: number, moreMs: number): Promise<number> {
    const { lease, slot, changed, deps } = this.#session
    const from = this.#requeueFrom.get(campaignId) ?? 0
    const batch = { campaignId, from, rows: rowsAtOnce, slot, moreMs }
    const { next, requeued } = await requeueForRetry(deps.pool, lease, batch)
    if (next === null) {
      this.#requeueFrom.delete(campaignId)
      this.#session.monitor.retried(campaignId)
      this.#session.plans.forget(campaignId)
    } else this.#requeueFrom.set(campaignId, next)
    changed.add(campaignId)
    return requeued
  }

  async #demand(campaign: CampaignRow, wanted: number): Promise<Step> {
    const plan = await this.#session.plans.of(campaign.id)
    if (this.#isSilenced(plan)) return this.#fail(campaign, plan)
    return { campaign, did: 'dial', wanted, reason: null }
  }

  /** Adds the calls that begin to `begun`, and stores why the other campaigns do not dial. */
  async #dial(steps: Step[], begun: Map<number, number>, calm: boolean): Promise<void> {
    if (calm) await this.#dialAll(steps, begun)
    if (calm) await this.#probe(steps, begun)
    await this.#explainAll(steps, begun, calm)
  }

  /** Shares the lines' capacity among the campaigns and claims their calls, which then ring. */
  async #dialAll(steps: readonly Step[], begun: Map<number, number>): Promise<void> {
    const demands = steps.filter((step) => step.wanted > 0).map(demandOf)
    const { lines, queue, down } = this.#session
    if (demands.length === 0 || down) return
    const campaigns = steps.map((step) => step.campaign)
    const room = lines.room(campaigns, queue.byTrunk, tickMs)
    const dialer = Math.min(room.dialer, queue.room(lines.begunLately(null)))
    const { shares, turns } = share(demands, { ...room, dialer }, this.#turns)
    this.#turns = turns
    const until = performance.now() + claimsMs
    const promised = new Map(shares)
    try {
      for (const [campaignId, wanted] of this.#longestWaiting(shares)) {
        if (performance.now() > until) break // the other campaigns come first next time
        lines.promise(byTrunk(promised, demands))
        begun.set(campaignId, await this.#claim(campaignId, wanted, false))
        promised.delete(campaignId)
      }
    } finally {
      lines.promise(new Map())
    }
  }

  #longestWaiting(shares: ReadonlyMap<number, number>): [campaignId: number, wanted: number][] {
    const claimedAt = (id: number): number => this.#claimedAt.get(id) ?? 0
    return [...shares].sort((one, other) => claimedAt(one[0]) - claimedAt(other[0]))
  }

  async #claim(campaignId: number, wanted: number, probe: boolean): Promise<number> {
    const session = this.#session
    const plan = await session.plans.of(campaignId)
    this.#claimedAt.set(campaignId, performance.now())
    const request = {
      campaignId,
      wanted,
      slot: session.slot,
      since: this.#sinceOf(campaignId),
      payerIds: plan.payerIds,
      blacklistOwnerIds: plan.blacklistOwnerIds,
      probe,
      proven: session.speech.provenOf(plan),
      ...this.#numbers.limitsFor(campaignId, session.timeScale),
    }
    const { calls: rows, putOff } = await session.claim(
      plan,
      () => claim(session.deps.pool, session.lease, request),
      probe,
    )
    this.#numbers.claimed(campaignId, { calls: rows, putOff })
    const dueAt = rows[0]?.since
    if (dueAt)
      this.#since.set(campaignId, { dueAt, until: this.#since.get(campaignId)?.until ?? performance.now() + sinceMs })
    session.changed.add(campaignId)
    return rows.length
  }

  /** Every few seconds the queue is read from its beginning again, since a row may have come in with an earlier due time. */
  #sinceOf(campaignId: number): Date {
    const known = this.#since.get(campaignId)
    if (known && performance.now() < known.until) return known.dueAt
    this.#since.delete(campaignId)
    return new Date(0)
  }

  async #probe(steps: readonly Step[], begun: Map<number, number>): Promise<void> {
    const deps = {
      session: this.#session,
      claim: (campaignId: number) => this.#claim(campaignId, 1, true),
      hasPrompts: async (campaign: CampaignRow) => (await this.#promptsOf(campaign)) === 'ready',
    }
    const campaigns = steps.map(({ campaign }) => campaign)
    for (const [campaignId, n] of await probe(deps, campaigns)) begun.set(campaignId, n)
  }

  /** A sentence when the dialer, not the lines, limits the calls; otherwise null. */
  #slowInWords(): string | null {
    const { queue, lines } = this.#session
    const { slow } = queue
    return slow && words.dialerSlow(lines.dialer.name, slow.answersInMs, slow.callsPerSecond)
  }

  async #explainAll(steps: Step[], begun: ReadonlyMap<number, number>, calm: boolean): Promise<void> {
    const { pool } = this.#session.deps
    const { lease, lines } = this.#session
    const told: Explanation[] = []
    const slow = calm ? this.#slowInWords() : null
    for (const step of steps) {
      const { campaign } = step
      if (step.wanted > 0) step.reason = slow ?? (calm ? lines.slowedInWords(campaign.trunk_id) : null)
      if (step.wanted > 0 && campaign.in_call === 0 && !begun.get(campaign.id)) {
        const waits = this.#numbers.reasonOf(campaign.id, this.#session.deps.clock.now())
        step.reason = calm ? (lines.inTheWay(campaign) ?? waits ?? step.reason) : words.overloaded
        if (begun.has(campaign.id))
          step.did = `dial nothing: ${JSON.stringify(await why(pool, lease, campaign.id, campaign.payer_ids))}`
      }
      if (step.reason !== undefined && step.reason !== campaign.reason)
        told.push({ campaignId: campaign.id, status: campaign.status, reason: step.reason })
    }
    await explain(pool, lease, told)
  }
}

/** Whether the campaign's calls may begin soon. A restarted dialer is not asked for the sounds of every campaign. */
function needsPrompts({ status, hold_cause }: CampaignRow, hours: CallingHours, now: Date): boolean {
  if (status === 'processing') return true
  const begins = status === 'ready' || status === 'running' || (status === 'onHold' && hold_cause === 'prompts')
  return begins && hoursAt(hours, now).open
}

/** What was done for a campaign. `reason` undefined: the stored reason stays. */
type Step = { campaign: CampaignRow; did: string; wanted: number; reason: string | null | undefined }

function demandOf({ campaign, wanted }: Step): Demand {
  return {
    campaignId: campaign.id,
    userId: campaign.account_id,
    trunkId: campaign.trunk_id,
    cliId: campaign.cli_id,
    wanted,
  }
}

function reportOf(
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
