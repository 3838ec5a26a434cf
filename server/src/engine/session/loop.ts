import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import type { Polls } from './polls.ts'
import type { Clock } from '../../clock.ts'
import { hoursAt } from '../../modules/platform/rules-hours.ts'
import type { Prompts } from '../audio/sound-cache.ts'
import type { SpeechCache } from '../audio/speech-cache.ts'
import type { Detours } from '../dial/detours.ts'
import type { Switchboard } from '../dial/switchboard.ts'
import type { Recordings } from '../audio/recordings.ts'
import type { InvariantMonitor } from '../invariants/monitor.ts'
import type { Preparing } from '../prepare/preparing.ts'
import { explain, explainStreams, type Explanation } from '../schedule/steps/campaign.sql.ts'
import { why } from '../schedule/claim/claim.sql.ts'
import { Channels } from '../schedule/capacity/channels.ts'
import { ContractShares } from '../schedule/capacity/contract-shares.ts'
import { Claims, type ClaimPorts } from '../schedule/claim/claims.ts'
import { assist, decide, hereOf, type DecisionContext } from '../schedule/decide/decide.ts'
import { inWords, type FaultsHere, type StreamFault } from '../schedule/decide/no-dialer.ts'
import type { Share } from '../schedule/capacity/pacing.ts'
import { PutOffRows } from '../schedule/numbers/put-off-rows.ts'
import { Resting } from '../schedule/snapshot/resting.ts'
import type { BlockRow, CampaignRow } from '../schedule/snapshot/snapshot.sql.ts'
import type { Snapshot } from '../schedule/snapshot/snapshots.ts'
import { SharedCampaigns, sharedInWords } from '../schedule/shared/shared-campaigns.ts'
import { CampaignSteps, type Step } from '../schedule/steps/steps.ts'
import { faultByOperator, faultsHere, reasonsOfStreams, type StreamReason } from '../schedule/decide/stream-reasons.ts'
import { cursorIdsOf } from '../schedule/snapshot/streams.ts'
import { words } from '../schedule/decide/words.ts'
import type { Writer } from '../settle/writer.ts'
import { probe } from '../trunks/health/probes.ts'
import { streamsHere } from '../trunks/route/route.ts'
import type { TrunkHealthTracker } from '../trunks/health/trunk-health.ts'

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

/** By campaign. */
type ReasonsOfStreams = ReadonlyMap<number, readonly StreamReason[]>

/** How often a tick is due. */
export const tickMs = 250
/** While the event loop is later than this, no call begins: calls in progress come first. */
const lagMsMax = 200
/** Nor while more outcomes than this wait to be written, because the database then cannot keep up. */
const waitingMax = 1000
/** A dialer that has been silent for this long has its campaigns put on hold. */
const downMsMax = 10_000
const dayMs = 24 * 3600_000
/** How often campaigns are looked at that only wait for something outside. */
const waitingEveryMs = 1000

/** What the ticks of a dialer use of its session. */
export type TickPorts = ClaimPorts & {
  deps: { pool: Pool; clock: Clock; polls: Pick<Polls, 'snapshots' | 'channels' | 'contracts'> }
  log: Logger
  /** `since`: monotonic. Null: the dialer answers. */
  down: { since: number; reason: string } | null
  speech: SpeechCache
  health: TrunkHealthTracker
  detours: Pick<Detours, 'routesAre' | 'leavesQueueFrom' | 'leftOf'>
  monitor: Pick<InvariantMonitor, 'setUp' | 'over' | 'retried'>
  recordings: Pick<Recordings, 'notice'>
  switchboard: Switchboard
  hours: Map<number, CallingHours>
  writer: Pick<Writer, 'waiting'>
  ensureConnected(): Promise<void>
  pushTrunks(): void
  checkOverdue(): void
}

/**
 * Runs the ticks of a dialer. A tick reads the database, decides the next step of each campaign, claims calls as far as trunks and caller IDs
 * allow, and stores the reason why a campaign does not dial.
 */
export class Loop {
  /** Calls that are up go on, but none begins. */
  draining = false
  readonly #ports: TickPorts
  readonly #preparing: Preparing
  readonly #lagMs: () => number
  readonly #steps: CampaignSteps
  readonly #claims: Claims
  readonly #channels: Channels
  readonly #contracts: ContractShares
  readonly #numbers: PutOffRows
  readonly #resting: Resting
  readonly #shared: SharedCampaigns
  /** What keeps this dialer from the calls of each campaign. */
  readonly #here = new Map<number, FaultsHere>()
  #waitingAt = -Infinity
  #hasBeenUp = false

  constructor(ports: TickPorts, preparing: Preparing, lagMs: () => number) {
    const { deps, lease, slot, plans, speech, switchboard, changed, monitor } = ports
    const { pool } = deps
    this.#ports = ports
    this.#preparing = preparing
    this.#lagMs = lagMs
    this.#numbers = new PutOffRows(pool, lease)
    this.#resting = new Resting(pool)
    this.#shared = new SharedCampaigns(ports)
    this.#channels = new Channels((wants) => deps.polls.channels.ask({ lease, wants }), ports.log)
    this.#contracts = new ContractShares({
      contracts: ports.trunks.contracts,
      ask: (wants) => deps.polls.contracts.ask({ lease, wants }),
      log: ports.log,
    })
    this.#claims = new Claims(ports, this.#numbers, tickMs)
    this.#steps = new CampaignSteps({
      pool,
      lease,
      slot,
      plans,
      speech,
      switchboard,
      changed,
      preparing,
      over: (campaign) => this.#over(campaign.id, campaign.attempts, cursorIdsOf(campaign)),
      retried: (campaignId) => monitor.retried(campaignId),
    })
  }

  async tick(): Promise<TickReport> {
    const began = performance.now()
    const lagMs = Math.round(this.#lagMs())
    const ports = this.#ports
    void ports.ensureConnected()
    const snapshot = await this.#readSnapshot(began)
    const steps = await this.#decideAll(snapshot)
    const calm = lagMs <= lagMsMax && ports.writer.waiting <= waitingMax && !this.draining
    const begun = new Map<number, number>()
    if (steps.length > 0) await this.#dial(steps, begun, calm, snapshot.blocks)
    else await this.#askForContracts([])
    ports.checkOverdue()
    return reportOf(ports, steps, begun, lagMs, performance.now() - began)
  }

  /** Resolves when nothing is under way any more. */
  async end(): Promise<void> {
    await this.#preparing.end()
  }

  async #readSnapshot(now: number): Promise<Snapshot> {
    const { deps, lease, trunks, health, monitor, recordings, detours } = this.#ports
    const at = deps.clock.now().getTime()
    const isProbeDue = trunks.probesDue(at).length > 0 || health.refusals.isAnyProbeDue(at)
    const waitingToo = isProbeDue || now - this.#waitingAt >= waitingEveryMs
    if (waitingToo) this.#waitingAt = now
    const snapshot = await deps.polls.snapshots.of(lease.dialerId, waitingToo)
    const { dialer, trunks: rows } = snapshot
    if (dialer) trunks.update(dialer, rows)
    if (snapshot.notice) await recordings.notice.update(snapshot.notice)
    this.#ports.pushTrunks()
    if (waitingToo) {
      for (const { id, cursorIds } of this.#shared.only(snapshot.campaigns))
        if (this.#ports.switchboard.ofCampaign(id).length === 0) this.#over(id, null, cursorIds)
      await this.#shared.endCancelled(snapshot.campaigns)
    }
    monitor.setUp(trunks.dialer, rows, snapshot.campaigns)
    detours.routesAre(snapshot.campaigns)
    this.#numbers.operators = snapshot.operators
    if (snapshot.campaigns.length > 0) await this.#numbers.capsAre(snapshot.numberCaps)
    return snapshot
  }

  async #decideAll(snapshot: Snapshot): Promise<Step[]> {
    const { hours, log } = this.#ports
    const retryMs = snapshot.dialDays * dayMs
    const steps: Step[] = []
    this.#here.clear()
    for (const campaign of snapshot.campaigns) {
      let doing = 'decide'
      try {
        await this.#shared.found(campaign)
        const context = await this.#contextOf(campaign, snapshot)
        hours.set(campaign.id, context.hours)
        this.#shared.decided(campaign, context)
        if (campaign.streams) this.#here.set(campaign.id, hereOf(campaign, context))
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

  async #contextOf(campaign: CampaignRow, snapshot: Snapshot): Promise<DecisionContext> {
    const { trunks, down, deps, timeScale, health } = this.#ports
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
      prompts: needsPrompts(campaign, hours, now) ? await this.#promptsOf(campaign) : 'ready',
      preparing: this.#preparing.has(campaign.id),
      refused: health.refusalsOf(campaign, now.getTime()),
      rests: await this.#resting.of(campaign),
    }
  }

  /** Whether the campaign's recordings and the values of its next rows are on the dialer. */
  async #promptsOf(campaign: CampaignRow): Promise<Prompts> {
    const streams = campaign.streams && streamsHere(campaign, campaign.streams)
    const ofThisDialer = { ...campaign, streams: streams?.length === 0 ? campaign.streams : streams }
    return this.#ports.speech.promptsOf(await this.#ports.plans.of(campaign.id), ofThisDialer)
  }

  /** Nothing is remembered of a campaign that has ended. */
  #over(id: number, attempts: number | null, cursorIds: readonly number[]): void {
    const { plans, monitor, hours, health } = this.#ports
    plans.forget(id)
    monitor.over(id, attempts)
    hours.delete(id)
    for (const cursorId of cursorIds) health.refusals.forget(cursorId)
    this.#claims.over(id)
    this.#numbers.over(id)
    this.#resting.over(id)
  }

  /** Adds the calls that begin to `begun`, and stores why the other campaigns do not dial. */
  async #dial(steps: Step[], begun: Map<number, number>, calm: boolean, blocks: readonly BlockRow[]): Promise<void> {
    const { dialer } = this.#ports.trunks
    if (calm) await this.#channels.limit(steps, { channels: dialer.channels, perSecond: dialer.cps })
    await this.#askForContracts(calm ? steps : [])
    if (calm) await this.#claims.claimAll(steps, begun, isBlockedBy(blocks))
    if (calm) await this.#probe(steps, begun)
    const ofStreams = this.#reasonsOfStreams(steps)
    await this.#explainAll(steps, begun, { calm, ofStreams })
    await this.#explainStreams(ofStreams)
  }

  /** For the calls of these steps, and one over each trunk that is to be tried. Not before the calls that others made here are known. */
  async #askForContracts(steps: readonly Step[]): Promise<void> {
    const { deps, down, trunks, health } = this.#ports
    this.#hasBeenUp ||= down === null
    if (!this.#hasBeenUp) return
    const now = deps.clock.now().getTime()
    const held = steps.filter(({ campaign }) => campaign.status === 'onHold').map(({ campaign }) => campaign.trunk_id)
    const probing = [...trunks.probesDue(now), ...(health.refusals.isAnyProbeDue(now) ? held : [])]
    await this.#contracts.round(steps, steps.length > 0 ? probing : [], trunks.dialer)
  }

  /** Held trunks and campaigns whose probe is due get one call. */
  async #probe(steps: readonly Step[], begun: Map<number, number>): Promise<void> {
    const tries = {
      claim: async (campaign: CampaignRow, of: Pick<Share, 'stream' | 'trunkId'>) => {
        await this.#channels.forOne(campaign)
        return await this.#claims.claim({ campaignId: campaign.id, ...of, calls: 1 }, true)
      },
      hasPrompts: async (campaign: CampaignRow) => (await this.#promptsOf(campaign)) === 'ready',
    }
    const mayCall = steps.filter(
      ({ campaign, wanted, tries: mayTry }) => campaign.status === 'onHold' || wanted > 0 || mayTry,
    )
    const campaigns = mayCall.map(({ campaign }) => campaign)
    for (const [campaignId, n] of await probe(this.#ports, campaigns, tries))
      begun.set(campaignId, (begun.get(campaignId) ?? 0) + n)
  }

  /** A sentence when the dialer, not the trunks, limits the calls; otherwise null. */
  #slowInWords(): string | null {
    const { queue, trunks } = this.#ports
    const { slow } = queue
    return slow && words.dialerSlow(trunks.dialer.name, slow.answersInMs, slow.callsPerSecond)
  }

  async #explainAll(
    steps: Step[],
    begun: ReadonlyMap<number, number>,
    { calm, ofStreams }: { calm: boolean; ofStreams: ReasonsOfStreams },
  ): Promise<void> {
    const { deps, lease, trunks } = this.#ports
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
    const { deps, trunks, switchboard } = this.#ports
    const now = deps.clock.now()
    const reasons = new Map<number, readonly StreamReason[]>()
    for (const { campaign } of steps) {
      const here = this.#here.get(campaign.id)
      if (!here || !campaign.leads) continue
      reasons.set(campaign.id, reasonsOfStreams(campaign, switchboard.ofCampaign(campaign.id), { now, trunks, here }))
    }
    return reasons
  }

  async #explainStreams(ofStreams: ReasonsOfStreams): Promise<void> {
    const { deps, lease } = this.#ports
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

/** Whether somebody has stopped all dialling over a trunk. */
function isBlockedBy(blocks: readonly BlockRow[]): (trunkId: number) => boolean {
  return (trunkId) => blocks.some(({ kind, target_id }) => kind === 'trunk' && target_id === trunkId)
}

/** Whether the campaign's calls may begin soon. A restarted dialer is not asked for the sounds of every campaign. */
function needsPrompts({ status, hold_cause }: CampaignRow, hours: CallingHours, now: Date): boolean {
  if (status === 'processing') return true
  const begins = status === 'ready' || status === 'running' || (status === 'onHold' && hold_cause === 'prompts')
  return begins && hoursAt(hours, now).open
}

function reportOf(
  ports: TickPorts,
  steps: readonly Step[],
  begun: ReadonlyMap<number, number>,
  lagMs: number,
  tookMs: number,
): TickReport {
  return {
    dialerId: ports.lease.dialerId,
    at: ports.deps.clock.now(),
    tookMs: Math.round(tookMs),
    lagMs,
    dialled: [...begun.values()].reduce((sum, n) => sum + n, 0),
    up: ports.switchboard.calls.length,
    campaigns: steps.map(({ campaign, did, reason }) => ({
      campaignId: campaign.id,
      status: campaign.status,
      did: begun.get(campaign.id) ? `dial ${begun.get(campaign.id)}` : did,
      reason: reason === undefined ? campaign.reason : reason,
    })),
  }
}
