/** A gateway's faults, and the hold that follows them. Times are ms of one clock. */

const faultsRunning = 10
const lastMax = 50
const faultsOfLast = 0.3
const firstProbeMs = 30_000
const probeMsMax = 30 * 60_000

/** `faults`: how many led to it. */
export type Held = { since: number; reason: string; faults: number; probes: number; nextProbeAt: number }

/**
 * The circuit breaker of a gateway.
 * - closed: messages leave. Ten faults in a row, or 30 % of the last 50, open it.
 * - open: nothing leaves except one probe at a time, after 30 s, then after twice as long each time. A probe without a fault closes it.
 */
export class CircuitBreaker {
  readonly #timeScale: number
  /** The last messages: true for a fault. */
  #last: boolean[] = []
  #running = 0
  #held: Held | null = null
  #probing = false

  constructor(timeScale: number) {
    this.#timeScale = timeScale
  }

  get held(): Held | null {
    return this.#held
  }

  /** Whether messages may leave; 'one' as a probe. */
  mayClaim(now: number): 'all' | 'one' | 'none' {
    if (!this.#held) return 'all'
    return !this.#probing && now >= this.#held.nextProbeAt ? 'one' : 'none'
  }

  probing(): void {
    this.#probing = true
  }

  /** A probe found nothing to send. */
  notProbed(): void {
    this.#probing = false
  }

  /** The gateway did its part, whatever became of the message. */
  good(): void {
    this.#note(false)
    this.#held = null
    this.#probing = false
  }

  fault(reason: string, now: number): void {
    this.#note(true)
    if (this.#held) {
      if (this.#probing)
        this.#hold(reason, now, { ...this.#held, faults: this.#held.faults + 1, probes: this.#held.probes + 1 })
      return
    }
    const faults = this.#last.filter(Boolean).length
    const isMuch = this.#last.length >= lastMax && faults >= lastMax * faultsOfLast
    if (this.#running >= faultsRunning || isMuch)
      this.#hold(reason, now, { since: now, faults: isMuch ? faults : this.#running, probes: 0 })
  }

  /** Another engine left the gateway on hold. */
  leftHeld(reason: string, since: number, now: number): void {
    this.#hold(reason, now, { since, faults: faultsRunning, probes: 0 })
  }

  #hold(reason: string, now: number, { since, faults, probes }: Pick<Held, 'since' | 'faults' | 'probes'>): void {
    const waitMs = Math.min(probeMsMax, firstProbeMs * 2 ** probes) * this.#timeScale
    this.#held = { since, reason, faults, probes, nextProbeAt: now + waitMs }
    this.#probing = false
    this.#last = []
    this.#running = 0
  }

  #note(isFault: boolean): void {
    this.#running = isFault ? this.#running + 1 : 0
    this.#last.push(isFault)
    if (this.#last.length > lastMax) this.#last.shift()
  }
}
