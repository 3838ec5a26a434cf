/** A gateway's faults, and when none of its messages leaves because of them. Times are ms of one clock. */

const faultsRunning = 10
const lastMax = 50
const faultsOfLast = 0.3
const firstProbeMs = 30_000
const probeMsMax = 30 * 60_000

/** `faults`: how many led to it. */
export type OpenBreaker = { since: number; reason: string; faults: number; probes: number; nextProbeAt: number }

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
  #opened: OpenBreaker | null = null
  #probing = false

  constructor(timeScale: number) {
    this.#timeScale = timeScale
  }

  get opened(): OpenBreaker | null {
    return this.#opened
  }

  /** Whether messages may leave; 'one' as a probe. */
  mayClaim(now: number): 'all' | 'one' | 'none' {
    if (!this.#opened) return 'all'
    return !this.#probing && now >= this.#opened.nextProbeAt ? 'one' : 'none'
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
    this.#opened = null
    this.#probing = false
  }

  fault(reason: string, now: number): void {
    this.#note(true)
    if (this.#opened) {
      if (this.#probing)
        this.#open(reason, now, { ...this.#opened, faults: this.#opened.faults + 1, probes: this.#opened.probes + 1 })
      return
    }
    const faults = this.#last.filter(Boolean).length
    const isMuch = this.#last.length >= lastMax && faults >= lastMax * faultsOfLast
    if (this.#running >= faultsRunning || isMuch)
      this.#open(reason, now, { since: now, faults: isMuch ? faults : this.#running, probes: 0 })
  }

  /** Another engine left it open. */
  wasOpen(reason: string, since: number, now: number): void {
    this.#open(reason, now, { since, faults: faultsRunning, probes: 0 })
  }

  #open(
    reason: string,
    now: number,
    { since, faults, probes }: Pick<OpenBreaker, 'since' | 'faults' | 'probes'>,
  ): void {
    const waitMs = Math.min(probeMsMax, firstProbeMs * 2 ** probes) * this.#timeScale
    this.#opened = { since, reason, faults, probes, nextProbeAt: now + waitMs }
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
