import { claim, type Claim, type ClaimRequest, type Proven } from '../../model/campaigns/claim.sql.ts'
import {
  byTrunk,
  distribute,
  firstTurn,
  type Demand,
  type Portion,
  type RoundRobin,
} from '../../../dispatch/turns/pacing.ts'
import type { PutOffRows } from './put-off-rows.ts'
import type { Step } from '../steps/steps.ts'
import type { Plan } from '../../model/calls/plan.ts'
import { yieldsMs } from '../../dialer/dial/yielded-rows.ts'
import type { Session } from '../../dialer/session/session.ts'
import type { Wanting } from '../../dialer/trunks/limits/agent-room.ts'
import type { RouteStep } from '../../../dispatch/turns/route-step.ts'
import { clisOf, stepsOf } from '../../model/campaigns/route.ts'
import type { CampaignRow } from '../../model/campaigns/snapshot.sql.ts'
import { underLockOfClis } from '../../model/campaigns/shared.sql.ts'
import {
  yieldedHere,
  othersFor,
  callsHere,
  callsHereOfStreams,
  stepsHere,
  type OtherDialer,
} from '../../model/campaigns/sharing.ts'
import { cursorIdOf, mayBeCalled, type Stream } from '../../model/campaigns/streams.ts'

/** A tick stops claiming after this time, so that it notices a pause or a stop, and claimed calls ring soon. */
const claimsMs = 200
/** For this long, claims continue to read a campaign's queue where the last claim ended. */
const sinceMs = 5000

const beginning = new Date(0)

/** Distributes the capacity of a dialer's trunks among its campaigns, and claims their calls, which then ring. */
export class Claims {
  readonly #session: Session
  readonly #numbers: PutOffRows
  /** The period of ticks: a tick claims as many calls as may ring before the next one. */
  readonly #tickMs: number
  /** By campaign and stream: the due time up to which the queue was claimed, and how long that may be relied on; and when it was claimed last. */
  readonly #known = new Map<number, Map<number, { since: { dueAt: Date; until: number } | null; claimedAt: number }>>()
  #round: RoundRobin = firstTurn
  /** Cursors of which this tick claims no fresh rows, but those of the queue that other dialers yielded to this one. */
  readonly #queueAlone = new Set<number>()
  /** How many rows that others yielded were claimed, and when (monotonic), by cursor. */
  readonly #tookYielded = new Map<number, readonly { at: number; rows: number }[]>()
  /** The campaigns of the last tick, by id. */
  #campaigns: ReadonlyMap<number, CampaignRow> = new Map()

  constructor(session: Session, numbers: PutOffRows, tickMs: number) {
    this.#session = session
    this.#numbers = numbers
    this.#tickMs = tickMs
  }

  over(campaignId: number): void {
    this.#known.delete(campaignId)
    for (const id of this.#tookYielded.keys()) if (this.#tookLately(id).length === 0) this.#tookYielded.delete(id)
  }

  /** Adds to `begun` how many calls of each campaign begin. */
  async claimAll(
    steps: readonly Step[],
    begun: Map<number, number>,
    isBlocked: (trunkId: number) => boolean,
  ): Promise<void> {
    this.#campaigns = new Map(steps.map(({ campaign }) => [campaign.id, campaign]))
    const wanting = steps.filter((step) => step.wanted > 0)
    this.#queueAlone.clear()
    const demands = await Promise.all(wanting.map((step) => this.#demandOf(step, isBlocked)))
    const { trunks, queue, down } = this.#session
    trunks.agents.wants(await Promise.all(demands.map((demand) => this.#wantingOf(demand))))
    if (demands.length === 0 || down) return
    const campaigns = steps.map((step) => step.campaign)
    const room = trunks.room(campaigns, queue.byTrunk, this.#tickMs)
    const dialer = Math.min(room.dialer, queue.room(trunks.begunLately(null)))
    const { portions, round } = distribute(demands, { ...room, dialer }, this.#round)
    this.#round = round
    const until = performance.now() + claimsMs
    const promised = new Set(portions)
    try {
      for (const next of this.#longestWaiting(portions)) {
        if (performance.now() > until) break // the other campaigns come first next time
        trunks.promise(byTrunk(promised))
        begun.set(next.campaignId, (begun.get(next.campaignId) ?? 0) + (await this.claim(next, false)))
        promised.delete(next)
      }
    } finally {
      trunks.promise(new Map())
    }
  }

  /** Returns how many calls begin. `probe`: the call tries a trunk or campaign on hold. */
  async claim({ campaignId, stream, trunkId, calls }: Portion, probe: boolean): Promise<number> {
    const { slot, plans, timeScale, changed, trunks } = this.#session
    const campaign = this.#campaignOf(campaignId)
    const clis = trunks.clis.over(campaign, trunkId) // other claims of this tick may have taken channels of them
    const wanted = Math.min(
      calls,
      clis.reduce((sum, { room }) => sum + room, 0),
    )
    if (wanted === 0) return 0
    const plan = await plans.of(campaignId)
    const known = this.#knownOf(campaignId, stream ?? 0)
    known.claimedAt = performance.now()
    if (known.since && known.claimedAt >= known.since.until) known.since = null
    const request = {
      campaignId,
      stream,
      trunkId,
      ...(campaign.members ? { clis } : {}),
      wanted,
      slot,
      since: known.since?.dueAt ?? beginning,
      payerIds: plan.payerIds,
      blacklistOwnerIds: plan.blacklistOwnerIds,
      probe,
      proven: this.#provenOf(plan, stream),
      ...this.#numbers.limitsFor({ campaignId, stream, wanted }, timeScale),
    }
    const claimed = await this.#session.claim(plan, () => this.#claim(request), {
      probe,
      stream: stream ?? 0,
      trunkId,
      clis,
    })
    const { calls: rows } = claimed
    this.#numbers.claimed({ campaignId, stream }, claimed)
    const dueAt = rows[0]?.since
    // Every few seconds the queue is read from its beginning again, since a row may have come in with an earlier due time.
    if (dueAt) known.since = { dueAt, until: known.since?.until ?? performance.now() + sinceMs }
    changed.add(campaignId)
    const cursorId = cursorIdOf(campaignId, stream ?? 0)
    if (this.#queueAlone.has(cursorId))
      this.#tookYielded.set(cursorId, [...this.#tookLately(cursorId), { at: performance.now(), rows: rows.length }])
    return rows.length
  }

  #claim(request: ClaimRequest): Promise<Claim> {
    const { deps, lease } = this.#session
    const campaign = this.#campaignOf(request.campaignId)
    if (!campaign.is_shared) return claim(deps.pool, lease, request)
    const cliIds = clisOf(campaign).map(({ id }) => id)
    return underLockOfClis(deps.pool, cliIds, (db) => claim(db, lease, { ...request, isShared: true }))
  }

  #provenOf(plan: Plan, stream: number | null): Proven {
    const { speech, yieldedRows } = this.#session
    const sounds = speech.provenOf(plan, stream)
    const proven = this.#queueAlone.has(cursorIdOf(plan.campaignId, stream ?? 0)) ? { ...sounds, freshTo: 0 } : sounds
    const yieldedFrom = yieldedRows.yieldsQueueFrom(plan.campaignId, stream)
    if (yieldedFrom === null || yieldedFrom > proven.queueTo.dueUs) return proven
    return { ...proven, queueTo: { dueUs: yieldedFrom, rowNo: -1 } }
  }

  /** A stream whose sounds are not on the dialer yet, or that waits for a call that rings, leaves its turns to the others. */
  async #demandOf({ campaign, wanted }: Step, isBlocked: (trunkId: number) => boolean): Promise<Demand> {
    const { plans, speech, health, trunks } = this.#session
    const { id, account_id: userId, streams } = campaign
    const trunkIds = [campaign.trunk_id, ...(campaign.route ?? []).map(({ trunkId }) => trunkId)]
    const shown = new Map(
      trunkIds.map((trunkId) => [trunkId, trunks.clis.over(campaign, trunkId).map((cli) => cli.id)]),
    )
    const clisOver = (trunkId: number) => shown.get(trunkId) ?? []
    const wayOf = (stream: number | null, isDue: boolean) => this.#wayOf(campaign, { stream, isDue, isBlocked })
    const of = { campaignId: id, userId, clisOver }
    if (!streams) {
      const { rows, route, others: beside } = wayOf(null, campaign.retry_due)
      return {
        ...of,
        wanted: Math.min(rows, callsHere(wanted, route, beside)),
        streams: [{ stream: null, rows, route }],
      }
    }
    const plan = await plans.of(id)
    const isOnHold = ({ stream }: Stream): boolean => health.refusals.holdOf(cursorIdOf(id, stream)) !== null
    const left = streams.filter(mayBeCalled).map((rows) => {
      const way = wayOf(rows.stream, rows.retry_due)
      const most = Math.min(way.rows, rows.retry_due ? Infinity : rows.fresh_left)
      const route = isOnHold(rows) || !speech.hasProven(plan, rows) ? [] : way.route
      return { stream: rows.stream, rows: most, route, others: way.others }
    })
    return { ...of, wanted: callsHereOfStreams(wanted, left), streams: left.filter(({ route }) => route.length > 0) }
  }

  /**
   * The trunks here over which rows of a stream go, the other dialers beside them, and how many rows go at most. Where trunks elsewhere go first, this
   * dialer takes only rows of the queue that those dialers have just yielded because they could not carry them, or any rows where they yield all.
   */
  #wayOf(
    campaign: CampaignRow,
    of: { stream: number | null; isDue: boolean; isBlocked(trunkId: number): boolean },
  ): { rows: number; route: readonly RouteStep[]; others: readonly OtherDialer[] } {
    const { stream, isDue, isBlocked } = of
    const here = stepsOf(campaign, stream).filter(({ trunkId }) => !isBlocked(trunkId))
    const others = othersFor(campaign.others, stream)
    const route = stepsHere(here, others)
    const yielded = yieldedHere(others, stream)
    const beside = { route: stepsHere(here, yielded.remaining), others: yielded.remaining }
    if (route.length > 0 || yielded.rows === 0) return { rows: Infinity, route, others }
    if (yielded.rows === Infinity) return { rows: Infinity, ...beside }
    const cursorId = cursorIdOf(campaign.id, stream ?? 0)
    const rows = yielded.rows - this.#tookLately(cursorId).reduce((sum, one) => sum + one.rows, 0)
    const isOurs = this.#session.yieldedRows.yieldsQueueFrom(campaign.id, stream) === null
    if (!isDue || !isOurs || rows <= 0) return { rows: Infinity, route, others }
    this.#queueAlone.add(cursorId)
    return { rows, ...beside }
  }

  #tookLately(cursorId: number): readonly { at: number; rows: number }[] {
    return (this.#tookYielded.get(cursorId) ?? []).filter(({ at }) => performance.now() - at < yieldsMs)
  }

  async #wantingOf({ campaignId, streams, wanted }: Demand): Promise<Wanting> {
    const { flow } = await this.#session.plans.of(campaignId)
    const trunkIds = streams.flatMap(({ route }) => route.map(({ trunkId }) => trunkId))
    return { campaignId, flow, trunkIds: [...new Set(trunkIds)], calls: wanted }
  }

  #campaignOf(campaignId: number): CampaignRow {
    const campaign = this.#campaigns.get(campaignId)
    if (!campaign) throw new Error(`campaign ${campaignId} is claimed and was in no tick`)
    return campaign
  }

  #knownOf(campaignId: number, stream: number) {
    const byStream = this.#known.get(campaignId) ?? new Map()
    this.#known.set(campaignId, byStream)
    const known = byStream.get(stream) ?? { since: null, claimedAt: 0 }
    byStream.set(stream, known)
    return known
  }

  #longestWaiting(portions: readonly Portion[]): Portion[] {
    const claimedAt = ({ campaignId, stream }: Portion): number => this.#knownOf(campaignId, stream ?? 0).claimedAt
    return portions.toSorted((one, other) => claimedAt(one) - claimedAt(other))
  }
}
