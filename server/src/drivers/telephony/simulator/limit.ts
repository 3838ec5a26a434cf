/** What an operator takes; calls beyond are refused with 503, with Retry-After where `retryAfterMs` says so. */
export type OperatorLimit = { callsPerSecond: number; retryAfterMs?: number | undefined }

/** The calls of a trunk as its operator counts them: in no second more than the limit. Times are ms of any clock. */
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
