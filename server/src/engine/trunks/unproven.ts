import type { Call } from '../call/call.ts'
import { equalRefusalsMax } from './equal-refusals.ts'

/** An outcome that is not booked yet. True: it is booked as the trunk's fault, and its row is called again. */
export type Outstanding = {
  settle(isFault: boolean): void
  /** Nobody calls its row again by itself: it waits for its own campaign's proof, and where it cannot wait, its row is given back. */
  isForGood: boolean
  /** Whether its row may be given back before the wait is over. */
  mayReturn: boolean
  /** What it is booked as when nothing proved anything in time. */
  atLast(): boolean
}
type Waiting = Outstanding & { call: Call; timer: NodeJS.Timeout }

/** Outcomes that may be the trunk's doing: each is booked when its trunk, or its campaign, has proven what it is, or after a while. */
export class Unproven {
  readonly #waiting = new Set<Waiting>()

  /** Attempts whose outcome is known here and not booked. */
  get attemptIds(): number[] {
    return [...this.#waiting].map(({ call }) => call.attempt.id)
  }

  /** Of a trunk at most as many wait as make a run: the oldest goes. */
  add(call: Call, outcome: Outstanding, waitMs: number): void {
    const timer = setTimeout(() => this.#settle(waiting, waiting.atLast()), waitMs)
    const waiting: Waiting = { ...outcome, call, timer }
    this.#waiting.add(waiting)
    const { trunkId } = call.plan.line
    const ofTrunk = [...this.#waiting].filter((one) => one.call.plan.line.trunkId === trunkId)
    const [oldest] = ofTrunk
    if (oldest && ofTrunk.length > equalRefusalsMax) this.#settle(oldest, oldest.mayReturn)
  }

  /** A call rang: what its campaign met is as it was said, and what others met that is not for good. `campaignId` null: a test call. */
  rang(trunkId: number, campaignId: number | null): void {
    this.#settleAll(
      false,
      ({ call: { plan }, isForGood }) =>
        plan.campaignId === campaignId || (plan.line.trunkId === trunkId && !isForGood),
    )
  }

  ofTrunk(trunkId: number, isFault: boolean): void {
    this.#settleAll(isFault, ({ call }) => call.plan.line.trunkId === trunkId)
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

  /** Nobody waits for a proof any more: nothing is lost. */
  all(): void {
    this.#settleAll(true, () => true)
  }

  /** Whoever has the dialer next settles them from its record. */
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
    waiting.settle(isFault)
  }
}
