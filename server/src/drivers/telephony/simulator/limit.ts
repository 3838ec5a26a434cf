/** The calls that an operator takes. Further ones are refused with 503, and with Retry-After if `retryAfterMs` is set. */
export type OperatorLimit = { callsPerSecond: number; retryAfterMs?: number | undefined }

/** Counts a trunk's calls as its operator does: no second has more than the limit. Times are ms of any clock. */
export class LimitedOperator {
  readonly limit: OperatorLimit
  #taken: number[] = []

  constructor(limit: OperatorLimit) {
    this.limit = limit
  }

  /** Takes the call, or refuses it. */
  takes(now: number): boolean {
    this.#taken = this.#taken.filter((at) => now - at < 1000)
    if (this.#taken.length >= this.limit.callsPerSecond) return false
    this.#taken.push(now)
    return true
  }
}
