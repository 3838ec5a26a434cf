/** No slower than this: a call now and then finds out that there is room again. */
const slowest = 0.5
/** What comes back in a second: of the rate at which the operator refused, up to it and a little more. */
const careful = 1 / 100
const alittleMore = 1.1
/** Beyond that the operator takes more than before: of the contract's rate. */
const bold = 1 / 20
/**
 * Single numbers that answer 503 at any rate are not the operator: of the calls that began last, as many as in some seconds, a tenth must be refused,
 * and so many at least. Of a slow trunk each one counts, since a few calls of it are more than is to be wasted.
 */
const windowSeconds = 4
const [windowLeast, windowMost] = [40, 200]
const refusedShare = 0.1
const slow = 2
const refusedLeast = { atFirst: 3, slowed: 2 } as const
/** A longer Retry-After is an operator's maintenance: a call in between tells. */
const pauseMsMax = 60_000

/**
 * How many calls a second a trunk begins: the contract's, until the operator has no room (503) for more than a few of them. Then half as many, once
 * for all calls that were on their way, and from there a little more each second. Times are monotonic ms.
 */
export class TrunkRate {
  /** Null: the contract's. */
  #slowed: { cps: number; since: number; refusedAt: number; takes: number } | null = null
  #pausedUntil = -Infinity
  /** Calls that began, since ever and when the rate was last halved; of those refused since, how many had begun by then. */
  #begun = 0
  #begunAtHalving = 0
  #refusals: number[] = []

  began(): void {
    this.#begun += 1
  }

  /** Calls that may begin in a second. */
  allowed(contract: number, now: number): number {
    if (now < this.#pausedUntil) return 0
    if (!this.#slowed) return contract
    const { cps, since, refusedAt } = this.#slowed
    const knee = Math.max(cps, refusedAt * alittleMore)
    const seconds = Math.max(0, now - since) / 1000
    const toKnee = (knee - cps) / (refusedAt * careful)
    const grown = seconds <= toKnee ? cps + seconds * refusedAt * careful : knee + (seconds - toKnee) * contract * bold
    if (grown >= contract) this.#slowed = null
    return Math.min(contract, grown)
  }

  /**
   * The operator refused a call that began at `begunAt`, `taken` others of that second were not refused. False: the rate stays, since the call was
   * on its way when it was halved, or since few are refused.
   */
  refused(call: { begunAt: number; contract: number; taken: number; retryAfterMs: number; now: number }): boolean {
    const { begunAt, contract, taken, retryAfterMs, now } = call
    if (retryAfterMs > 0) this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(pauseMsMax, retryAfterMs))
    if (this.#slowed && begunAt < this.#slowed.since) return false
    if (!this.#areMany(this.#slowed ? this.#rateAt(contract, now) : contract)) return false
    const refusedAt = Math.max(slowest, this.#slowed ? this.#rateAt(contract, now) : contract)
    const takes = Math.max(slowest, Math.min(refusedAt, taken))
    const since = Math.max(now, this.#pausedUntil)
    this.#slowed = { cps: Math.max(slowest, refusedAt / 2), since, refusedAt, takes }
    this.#refusals = []
    this.#begunAtHalving = this.#begun
    return true
  }

  /** With one more that is refused. */
  #areMany(rate: number): boolean {
    const window = Math.min(windowMost, Math.max(windowLeast, windowSeconds * rate))
    this.#refusals = [...this.#refusals.filter((at) => this.#begun - at < window), this.#begun]
    const refused = this.#refusals.length
    const lately = Math.min(window, this.#begun - this.#begunAtHalving)
    if (this.#slowed && rate < slow) return true
    return refused >= (this.#slowed ? refusedLeast.slowed : refusedLeast.atFirst) && refused >= refusedShare * lately
  }

  /** How many the operator takes, as it was last seen; null: all that are asked for. */
  takes(contract: number, now: number): number | null {
    return this.allowed(contract, now) < contract && this.#slowed ? Math.min(contract, this.#slowed.takes) : null
  }

  #rateAt(contract: number, now: number): number {
    const paused = this.#pausedUntil
    this.#pausedUntil = -Infinity
    const rate = this.allowed(contract, now)
    this.#pausedUntil = paused
    return rate
  }
}
