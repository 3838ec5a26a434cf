import type { Call } from './call.ts'
import { equalRefusalsMax } from './equal-refusals.ts'

type Waiting = { call: Call; settle(isFault: boolean): void; isFault: boolean; timer: NodeJS.Timeout }

/** Outcomes of calls over trunks of which nothing has rung: each is booked when its trunk has proven what it is, or after a while. */
export class Unproven {
  readonly #waiting = new Set<Waiting>()

  /** Attempts whose outcome is known here and not booked. */
  get attemptIds(): number[] {
    return [...this.#waiting].map(({ call }) => call.attempt.id)
  }

  /** `isFault`: what it is booked as when nothing proves anything within `waitMs`. Of a trunk at most as many as make a run wait: the oldest goes. */
  add(call: Call, settle: (isFault: boolean) => void, { isFault, waitMs }: { isFault: boolean; waitMs: number }): void {
    const timer = setTimeout(() => this.#settle(waiting, isFault), waitMs)
    const waiting: Waiting = { call, settle, isFault, timer }
    this.#waiting.add(waiting)
    const { trunkId } = call.plan.line
    const ofTrunk = [...this.#waiting].filter((one) => one.call.plan.line.trunkId === trunkId)
    const [oldest] = ofTrunk
    if (oldest && ofTrunk.length > equalRefusalsMax) this.#settle(oldest, oldest.isFault)
  }

  ofTrunk(trunkId: number, isFault: boolean): void {
    this.#settleAll(isFault, ({ plan }) => plan.line.trunkId === trunkId)
  }

  ofCampaign(campaignId: number, isFault: boolean): void {
    this.#settleAll(isFault, ({ plan }) => plan.campaignId === campaignId)
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

  #settleAll(isFault: boolean, which: (call: Call) => boolean): void {
    for (const waiting of this.#waiting) if (which(waiting.call)) this.#settle(waiting, isFault)
  }

  #settle(waiting: Waiting, isFault: boolean): void {
    if (!this.#waiting.delete(waiting)) return
    clearTimeout(waiting.timer)
    waiting.settle(isFault)
  }
}
