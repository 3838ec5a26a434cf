import type { Preparing } from '../prepare/preparing.ts'
import { ContractRequests } from './capacity/contract-requests.ts'
import { Channels } from './capacity/channels.ts'
import type { SchedulerPolls } from './scheduler-polls.ts'
import type { Portion } from '../../dispatch/turns/pacing.ts'
import { Claims } from './claim/claims.ts'
import { assist, decide } from './decide/decide.ts'
import { PutOffRows } from './claim/put-off-rows.ts'
import { SharedCampaigns } from './capacity/shared-campaigns.ts'
import type { Session } from '../dialer/session/session.ts'
import type { BlockRow, CampaignRow } from '../model/campaigns/snapshot.sql.ts'
import type { Snapshot } from './snapshot/snapshots.ts'
import { cursorIdsOf } from '../model/campaigns/streams.ts'
import { CampaignSteps, type Step } from './steps/steps.ts'
import { probe } from './claim/probes.ts'
import { DecisionContexts, isBlockedBy } from './decide/decision-contexts.ts'
import { Explanations } from './explanations.ts'
import { reportOf, type TickReport } from './tick-report.ts'

/** How often a tick is due. */
export const tickMs = 250
/** While the event loop is later than this, no call begins: calls in progress come first. */
const lagMsMax = 200
/** Nor while more outcomes than this wait to be written, because the database then cannot keep up. */
const waitingMax = 1000
const dayMs = 24 * 3600_000
/** How often a tick also reads the campaigns that only wait for something outside. */
const waitingEveryMs = 1000

/**
 * Runs the ticks of a dialer. A tick reads the database, decides the next step of each campaign, claims calls as far as trunks and caller IDs
 * allow, and stores the reason why a campaign does not dial.
 */
export class Loop {
  /** While draining, calls in progress continue, but no new call begins. */
  draining = false
  readonly #session: Session
  readonly #polls: SchedulerPolls
  readonly #preparing: Preparing
  readonly #lagMs: () => number
  readonly #contexts: DecisionContexts
  readonly #steps: CampaignSteps
  readonly #claims: Claims
  readonly #channels: Channels
  readonly #contracts: ContractRequests
  readonly #numbers: PutOffRows
  readonly #shared: SharedCampaigns
  readonly #explanations: Explanations
  #waitingAt = -Infinity
  #hasBeenUp = false

  constructor(session: Session, polls: SchedulerPolls, preparing: Preparing, lagMs: () => number) {
    const { deps, lease, log } = session
    this.#polls = polls
    this.#session = session
    this.#preparing = preparing
    this.#lagMs = lagMs
    this.#numbers = new PutOffRows(deps.pool, lease)
    this.#explanations = new Explanations(session, this.#numbers)
    this.#contexts = new DecisionContexts(session, preparing)
    this.#shared = new SharedCampaigns(session)
    this.#channels = new Channels((wants) => polls.channels.ask({ lease, wants }), log)
    this.#contracts = new ContractRequests(session)
    this.#claims = new Claims(session, this.#numbers, tickMs)
    this.#steps = new CampaignSteps(session, preparing, (campaign) =>
      this.#over(campaign.id, campaign.attempts, cursorIdsOf(campaign)),
    )
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
    if (steps.length > 0) await this.#dial(steps, begun, calm, snapshot.blocks)
    else {
      session.trunks.agents.wants([]) // what the last tick's campaigns wanted is wanted here no more
      await this.#askForContracts([])
    }
    session.checkOverdue()
    return reportOf(session, steps, begun, lagMs, performance.now() - began)
  }

  /** Some ticks must follow, in which the dialer gives back what it has of contracts. */
  get hasContractGrants(): boolean {
    return this.#contracts.hasAny
  }

  /** Resolves when nothing is under way any more. */
  async end(): Promise<void> {
    await this.#preparing.end()
  }

  async #readSnapshot(now: number): Promise<Snapshot> {
    const { deps, lease, trunks, health, monitor, recordings, farewell, yieldedRows } = this.#session
    const at = deps.clock.now().getTime()
    const isProbeDue = trunks.probesDue(at).length > 0 || health.refusals.isAnyProbeDue(at)
    const waitingToo = isProbeDue || now - this.#waitingAt >= waitingEveryMs
    if (waitingToo) this.#waitingAt = now
    const snapshot = await this.#polls.snapshots.of(lease.dialerId, waitingToo)
    const { dialer, trunks: rows } = snapshot
    if (dialer) trunks.update(dialer, rows)
    if (snapshot.notice) await recordings.notice.update(snapshot.notice)
    if (snapshot.lostServer) farewell.update(snapshot.lostServer)
    this.#session.pushTrunks()
    if (waitingToo) {
      for (const { id, cursorIds } of this.#shared.only(snapshot.campaigns))
        if (this.#session.switchboard.ofCampaign(id).length === 0) this.#over(id, null, cursorIds)
      await this.#shared.endCancelled(snapshot.campaigns)
    }
    monitor.setUp(trunks.dialer, rows, snapshot.campaigns)
    yieldedRows.routesAre(snapshot.campaigns)
    this.#numbers.operators = snapshot.operators
    if (snapshot.campaigns.length > 0) await this.#numbers.capsAre(snapshot.numberCaps)
    return snapshot
  }

  async #decideAll(snapshot: Snapshot): Promise<Step[]> {
    const { hours, log } = this.#session
    const retryMs = snapshot.dialDays * dayMs
    const steps: Step[] = []
    this.#explanations.forgetAll()
    for (const campaign of snapshot.campaigns) {
      let doing = 'decide'
      try {
        await this.#shared.found(campaign)
        const context = await this.#contexts.of(campaign, snapshot)
        hours.set(campaign.id, context.hours)
        this.#shared.decided(campaign, context)
        this.#explanations.note(campaign, context)
        const decision = campaign.leads ? decide(campaign, context) : assist(campaign, context)
        doing = decision.do
        steps.push(await this.#steps.carryOut(campaign, decision, { retryMs, draining: this.draining }))
      } catch (error) {
        log.error({ error, campaignId: campaign.id, doing }, 'a step of a campaign failed')
        steps.push({ campaign, did: `${doing} failed`, wanted: 0, reason: undefined })
      }
    }
    await this.#shared.say()
    return steps
  }

  /** Forgets a campaign that has ended. */
  #over(id: number, attempts: number | null, cursorIds: readonly number[]): void {
    const { plans, monitor, hours, health } = this.#session
    plans.forget(id)
    monitor.over(id, attempts)
    hours.delete(id)
    for (const cursorId of cursorIds) health.refusals.forget(cursorId)
    this.#claims.over(id)
    this.#numbers.over(id)
    this.#contexts.over(id)
  }

  /** Adds the calls that begin to `begun`, and stores why the other campaigns do not dial. */
  async #dial(steps: Step[], begun: Map<number, number>, calm: boolean, blocks: readonly BlockRow[]): Promise<void> {
    const { dialer } = this.#session.trunks
    if (calm) await this.#channels.limit(steps, { channels: dialer.channels, perSecond: dialer.cps })
    await this.#askForContracts(calm ? steps : [])
    if (calm) await this.#claims.claimAll(steps, begun, isBlockedBy(blocks))
    if (calm) await this.#probe(steps, begun)
    await this.#explanations.write(steps, begun, calm)
  }

  /** Asks for what the calls of these steps need, and a probe over each trunk that is due for one; nothing before the calls of an earlier engine are known. */
  async #askForContracts(steps: readonly Step[]): Promise<void> {
    const { deps, down, trunks, health } = this.#session
    this.#hasBeenUp ||= down === null
    if (!this.#hasBeenUp) return
    const now = deps.clock.now().getTime()
    const onHold = steps.filter(({ campaign }) => campaign.status === 'onHold').map(({ campaign }) => campaign.trunk_id)
    const probing = [...trunks.probesDue(now), ...(health.refusals.isAnyProbeDue(now) ? onHold : [])]
    await this.#contracts.round(steps, steps.length > 0 ? probing : [], trunks.dialer)
  }

  /** Trunks and campaigns on hold whose probe is due get one call. */
  async #probe(steps: readonly Step[], begun: Map<number, number>): Promise<void> {
    const tries = {
      claim: async (campaign: CampaignRow, of: Pick<Portion, 'stream' | 'trunkId'>) => {
        await this.#channels.forOne(campaign)
        return await this.#claims.claim({ campaignId: campaign.id, ...of, calls: 1 }, true)
      },
      hasPrompts: async (campaign: CampaignRow) => (await this.#contexts.promptsOf(campaign)) === 'ready',
    }
    const mayCall = steps.filter(
      ({ campaign, wanted, tries: mayTry }) => campaign.status === 'onHold' || wanted > 0 || mayTry,
    )
    const campaigns = mayCall.map(({ campaign }) => campaign)
    for (const [campaignId, n] of await probe(this.#session, campaigns, tries))
      begun.set(campaignId, (begun.get(campaignId) ?? 0) + n)
  }
}
