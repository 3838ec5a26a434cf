/** Calls that an operator accepts. It refuses others with 503, and with Retry-After if `retryAfterMs` is set. */
export type OperatorLimit = { callsPerSecond: number; retryAfterMs?: number | undefined }

/** Counts a trunk's calls as its operator does: at most the limit in any second. Times are ms of any clock. */
export class LimitedOperator {
  readonly limit: OperatorLimit
  #taken: number[] = []

  constructor(limit: OperatorLimit) {
    this.limit = limit
  }

  takes(now: number): boolean {
    this.#taken = this.#taken.filter((at) => now - at < 1000)
    if (this.#taken.length >= this.limit.callsPerSecond) return false
    this.#taken.push(now)
    return true
  }
}
