import { callMsMax, durationMs, reactionMs } from '@ghanti/callflow/flow.ts'
import type { CallPorts } from './call-ports.ts'
import type { Call } from './call.ts'
import { costPaisa } from '../../model/calls/plan.ts'

/**
 * How long the customer's leg may last, and the money that is reserved for both legs. Both grow while there is money. Durations are the dialer's ms;
 * `speed` of them pass in one of ours.
 */
export class TalkTime {
  readonly #call: Call
  readonly #ports: CallPorts
  #limitMs: number
  #reservedPaisa: number
  /** Monotonic time of the customer's answer. */
  #answered = 0
  /** Of agents' legs that have ended. Null: none was answered. */
  #patchBillMs: number | null = null

  constructor(call: Call, ports: CallPorts, limitMs: number) {
    this.#call = call
    this.#ports = ports
    this.#limitMs = limitMs
    this.#reservedPaisa = call.attempt.reservedPaisa
  }

  /** From the customer's answer. */
  get limitMs(): number {
    return this.#limitMs
  }

  /** Of the whole attempt. */
  get reservedPaisa(): number {
    return this.#reservedPaisa
  }

  get patchBillMs(): number | null {
    return this.#patchBillMs
  }

  /** Since the customer's answer. */
  get elapsedMs(): number {
    return (performance.now() - this.#answered) * this.#ports.connection.speed
  }

  /** Monotonic time at which the customer's leg is cut at the latest. */
  get endsBy(): number {
    return this.#answered + this.#limitMs / this.#ports.connection.speed
  }

  /** The customer's leg was answered, at a time of the dialer's clock. */
  begins(answeredAt: number): void {
    if (this.#answered !== 0) return
    const { claimedAt } = this.#call.attempt
    const rangMs = (answeredAt - claimedAt) / this.#ports.connection.speed
    this.#answered = performance.now() - Math.max(0, Date.now() - claimedAt - rangMs)
  }

  restore({ limitMs, patchBillMs }: { limitMs: number; patchBillMs: number | null }): void {
    this.#limitMs = limitMs
    this.#patchBillMs = patchBillMs
  }

  /** An agent was talked to for this long. */
  bills(ms: number): void {
    this.#patchBillMs = (this.#patchBillMs ?? 0) + Math.max(0, ms)
  }

  /** Whether a call may talk for this long and still hear its closing prompts. */
  hasRoomFor(talkMs: number): boolean {
    return talkMs + this.#closingMs() <= callMsMax
  }

  /** Reserves what both legs cost at these lengths, closing prompts included, and lets the customer's leg last that long. False: no money. */
  cover(talkMs: number, agentMs: number): Promise<boolean> {
    return this.#reserve(talkMs + this.#closingMs(), (this.#patchBillMs ?? 0) + agentMs)
  }

  /** Lets the customer's leg last longer than what is reserved for it. False: no money. */
  prolong(ms: number): Promise<boolean> {
    return this.#reserve(this.#limitMs + ms, this.#patchBillMs)
  }

  async #reserve(wantedMs: number, patchedMs: number | null): Promise<boolean> {
    const customerMs = Math.max(this.#limitMs, Math.min(callMsMax, wantedMs))
    const missing = costPaisa(this.#call.plan.price, customerMs, patchedMs) - this.#reservedPaisa
    if (missing > 0) {
      const reserved = await this.#ports.extend(this.#call, missing)
      if (reserved === null) return false
      this.#reservedPaisa = reserved
    }
    if (customerMs > this.#limitMs) {
      this.#limitMs = customerMs
      await this.#ports.connection.setTalkMax(this.#call.attempt.channelId, customerMs)
      this.#call.prolonged()
    }
    return true
  }

  #closingMs(): number {
    return durationMs(this.#call.plan.flow.closing) + 2 * reactionMs
  }
}
