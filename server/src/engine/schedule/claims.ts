import { claim, type Claim } from './claim.sql.ts'
import { byTrunk, firstTurn, share, type Demand, type RoundRobin, type Share } from './pacing.ts'
import type { PutOffRows } from './put-off-rows.ts'
import type { Step } from './steps.ts'
import type { SpeechCache } from '../audio/speech-cache.ts'
import type { Plan } from '../call/plan.ts'
import type { Plans } from '../call/plans.ts'
import type { DialQueue } from '../dial/dial-queue.ts'
import type { Lease, Queryable } from '../statement.ts'
import { stepsOf } from '../trunks/route.ts'
import type { DialerTrunks } from '../trunks/trunks.ts'

/** A tick stops claiming after this time, so that it notices a pause or a stop, and claimed calls ring soon. */
const claimsMs = 200
/** For this long, claims continue to read a campaign's queue where the last claim ended. */
const sinceMs = 5000

export type ClaimPorts = {
  deps: { pool: Queryable }
  lease: Lease
  slot: number
  timeScale: number
  down: { reason: string } | null
  trunks: DialerTrunks
  queue: DialQueue
  plans: Plans
  speech: Pick<SpeechCache, 'provenOf'>
  changed: Set<number>
  /** Makes calls over the trunk of what `claim` answers, unless none may begin. */
  claim(plan: Plan, claim: () => Promise<Claim>, of: { probe: boolean; trunkId: number }): Promise<Claim>
}

/** Shares the capacity of a dialer's trunks among its campaigns, and claims their calls, which then ring. */
export class Claims {
  readonly #ports: ClaimPorts
  readonly #numbers: PutOffRows
  /** The period of ticks: a tick claims as many calls as may ring before the next one. */
  readonly #tickMs: number
  /** By campaign: the due time up to which its queue was claimed, and how long that may be relied on. */
  readonly #since = new Map<number, { dueAt: Date; until: number }>()
  readonly #claimedAt = new Map<number, number>()
  #round: RoundRobin = firstTurn

  constructor(ports: ClaimPorts, numbers: PutOffRows, tickMs: number) {
    this.#ports = ports
    this.#numbers = numbers
    this.#tickMs = tickMs
  }

  over(campaignId: number): void {
    this.#claimedAt.delete(campaignId)
    this.#since.delete(campaignId)
  }

  /** Adds to `begun` how many calls of each campaign begin. */
  async claimAll(
    steps: readonly Step[],
    begun: Map<number, number>,
    isBlocked: (trunkId: number) => boolean,
  ): Promise<void> {
    const demands = steps.filter((step) => step.wanted > 0).map((step) => demandOf(step, isBlocked))
    const { trunks, queue, down } = this.#ports
    if (demands.length === 0 || down) return
    const campaigns = steps.map((step) => step.campaign)
    const room = trunks.room(campaigns, queue.byTrunk, this.#tickMs)
    const dialer = Math.min(room.dialer, queue.room(trunks.begunLately(null)))
    const { shares, round } = share(demands, { ...room, dialer }, this.#round)
    this.#round = round
    const until = performance.now() + claimsMs
    const promised = new Set(shares)
    try {
      for (const next of this.#longestWaiting(shares)) {
        if (performance.now() > until) break // the other campaigns come first next time
        trunks.promise(byTrunk(promised))
        begun.set(next.campaignId, (begun.get(next.campaignId) ?? 0) + (await this.claim(next, false)))
        promised.delete(next)
      }
    } finally {
      trunks.promise(new Map())
    }
  }

  /** Returns how many calls begin. `probe`: the call tries a held trunk or campaign. */
  async claim({ campaignId, trunkId, calls: wanted }: Share, probe: boolean): Promise<number> {
    const { deps, lease, slot, plans, speech, timeScale, changed } = this.#ports
    const plan = await plans.of(campaignId)
    this.#claimedAt.set(campaignId, performance.now())
    const request = {
      campaignId,
      trunkId,
      wanted,
      slot,
      since: this.#sinceOf(campaignId),
      payerIds: plan.payerIds,
      blacklistOwnerIds: plan.blacklistOwnerIds,
      probe,
      proven: speech.provenOf(plan),
      ...this.#numbers.limitsFor(campaignId, timeScale),
    }
    const { calls: rows, putOff } = await this.#ports.claim(plan, () => claim(deps.pool, lease, request), {
      probe,
      trunkId,
    })
    this.#numbers.claimed(campaignId, { calls: rows, putOff })
    const dueAt = rows[0]?.since
    if (dueAt)
      this.#since.set(campaignId, { dueAt, until: this.#since.get(campaignId)?.until ?? performance.now() + sinceMs })
    changed.add(campaignId)
    return rows.length
  }

  #longestWaiting(shares: readonly Share[]): Share[] {
    const claimedAt = ({ campaignId }: Share): number => this.#claimedAt.get(campaignId) ?? 0
    return shares.toSorted((one, other) => claimedAt(one) - claimedAt(other))
  }

  /** Every few seconds the queue is read from its beginning again, since a row may have come in with an earlier due time. */
  #sinceOf(campaignId: number): Date {
    const known = this.#since.get(campaignId)
    if (known && performance.now() < known.until) return known.dueAt
    this.#since.delete(campaignId)
    return new Date(0)
  }
}

function demandOf({ campaign, wanted }: Step, isBlocked: (trunkId: number) => boolean): Demand {
  return {
    campaignId: campaign.id,
    userId: campaign.account_id,
    cliId: campaign.cli_id,
    route: stepsOf(campaign).filter(({ trunkId }) => !isBlocked(trunkId)),
    wanted,
  }
}
