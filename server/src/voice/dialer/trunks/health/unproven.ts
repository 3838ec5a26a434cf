import type { Call } from '../../call/call.ts'
import { cursorIdOf } from '../../../model/campaigns/streams.ts'
import { equalRefusalsMax } from './equal-refusals.ts'

/** An outcome that is not settled yet. */
type Outstanding = {
  /** A final outcome: it waits for a proof by its own campaign, and where it cannot wait, its row is given back. */
  isForGood: boolean
  /** Whether its row may be given back before the wait is over. */
  mayReturn: boolean
  /** The outcome that is settled when nothing was proven in time. */
  atLast(): boolean
}
type Waiting = Outstanding & { call: Call; timer: NodeJS.Timeout; prove(isFault: boolean): void }

/** The rows to which the call belongs: of its campaign, or of one operator in it. */
export function cursorOf({ attempt, plan }: Pick<Call, 'attempt' | 'plan'>): number {
  return cursorIdOf(plan.campaignId, attempt.stream)
}

/** Outcomes that may be the trunk's doing. Each is settled when its trunk, or its campaign, has proven what it is, or after a while. */
export class Unproven {
  readonly #waiting = new Set<Waiting>()

  /**
   * Resolves when its trunk, or its campaign, has proven what it is, or after a while. True: the outcome is settled as the trunk's fault, and its row is
   * called again. At most as many outcomes of a trunk wait as make a run; the oldest is settled first.
   */
  add(call: Call, outcome: Outstanding, waitMs: number): Promise<boolean> {
    const { promise, resolve: prove } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => this.#settle(waiting, waiting.atLast()), waitMs)
    const waiting: Waiting = { ...outcome, call, timer, prove }
    this.#waiting.add(waiting)
    const { trunkId } = call.attempt.cli
    const ofTrunk = [...this.#waiting].filter((one) => one.call.attempt.cli.trunkId === trunkId)
    const [oldest] = ofTrunk
    if (oldest && ofTrunk.length > equalRefusalsMax) this.#settle(oldest, oldest.mayReturn)
    return promise
  }

  /** A call rang: what its campaign's rows of this operator met stands, and so do the outcomes of others that are not final. `cursorId` null: a test call. */
  rang(trunkId: number, cursorId: number | null): void {
    this.#settleAll(
      false,
      ({ call, isForGood }) => cursorOf(call) === cursorId || (call.attempt.cli.trunkId === trunkId && !isForGood),
    )
  }

  ofTrunk(trunkId: number, isFault: boolean): void {
    this.#settleAll(isFault, ({ call }) => call.attempt.cli.trunkId === trunkId)
  }

  /** Settles what waits for rows of this cursor (see `cursorOf`). */
  ofCursor(cursorId: number, isFault: boolean): void {
    this.#settleAll(isFault, ({ call }) => cursorOf(call) === cursorId)
  }

  ofCampaign(campaignId: number, isFault: boolean): void {
    this.#settleAll(isFault, ({ call }) => call.plan.campaignId === campaignId)
  }

  countOf(campaignId: number): number {
    return [...this.#waiting].filter(({ call }) => call.plan.campaignId === campaignId).length
  }

  /** The campaign cannot dial while they wait: rows that may be given back are. */
  makeRoom(campaignId: number): void {
    this.#settleAll(true, ({ call, mayReturn }) => call.plan.campaignId === campaignId && mayReturn)
  }

  /** Settles all of them without a proof, so that none is lost. */
  all(): void {
    this.#settleAll(true, () => true)
  }

  /** The next holder of the dialer settles them from its record. */
  drop(): void {
    for (const { timer } of this.#waiting) clearTimeout(timer)
    this.#waiting.clear()
  }

  #settleAll(isFault: boolean, which: (waiting: Waiting) => boolean): void {
    for (const waiting of this.#waiting) if (which(waiting)) this.#settle(waiting, isFault)
  }

  #settle(waiting: Waiting, isFault: boolean): void {
    if (!this.#waiting.delete(waiting)) return
    clearTimeout(waiting.timer)
    waiting.prove(isFault)
  }
}
