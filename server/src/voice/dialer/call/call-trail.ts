import type { CallEvent, CallState, Step } from '@ghanti/callflow/call.ts'
import type { Flow } from '@ghanti/callflow/flow.ts'
import { follow, noTrail, trailText, type PartMs, type Trail } from '@ghanti/callflow/trail.ts'
import type { HungUp, Media } from '../../../drivers/telephony/driver.ts'

export class CallTrail {
  readonly #flow: Flow
  readonly #msOf: PartMs
  #trail: Trail = noTrail
  #text: string | null = null

  /** `spoken`: the sounds of the row's values, by column. */
  constructor(flow: Flow, spoken: readonly Media[]) {
    this.#flow = flow
    this.#msOf = (part) => (part.kind === 'spoken' && spoken[part.column]?.durationMs) || part.durationMs
  }

  /** Records a step of the flow at a time of the dialer's clock. No event: some were lost before this step. */
  follow(before: CallState, event: CallEvent | null, next: Step, at: number): void {
    if (event?.type !== 'hungUp') this.#trail = follow(this.#flow, this.#trail, { before, event, next, at }, this.#msOf)
  }

  /** The customer's leg ended while the flow was in this state. */
  ends(state: CallState, { at, endedBy }: HungUp): void {
    this.#text ??= trailText(this.#flow, this.#trail, {
      state,
      at,
      byFarEnd: endedBy === 'callee' || endedBy === 'network',
    })
  }

  get saved(): Trail {
    return this.#trail
  }

  restore(trail: Trail): void {
    this.#trail = trail
  }

  /** Null until the end of the call was reported. */
  get text(): string | null {
    return this.#text
  }
}
