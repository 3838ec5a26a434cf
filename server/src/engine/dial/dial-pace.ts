/** Where calls wait for the dialer and not for their rate: how fast it takes them. */
export type Slow = { answersInMs: number; callsPerSecond: number }

/** Long enough to tell, short enough to see that it has passed. */
const measuredEveryMs = 1000
/** Of the time, more than this. */
const fullShareMin = 0.5

/** How fast a dialer takes calls, a second at a time. Times are monotonic ms. */
export class DialPace {
  #from: number
  /** Since when calls wait for others that are being dialled; null: none does. */
  #fullSince: number | null = null
  #fullMs = 0
  #tookMs = 0
  #taken = 0
  #slow: Slow | null = null

  constructor(now: number) {
    this.#from = now
  }

  /** From now on. */
  full(isFull: boolean, now: number): void {
    if (this.#fullSince !== null) this.#fullMs += now - this.#fullSince
    this.#fullSince = isFull ? now : null
  }

  /** The dialer answered to a call after `ms`. */
  took(ms: number): void {
    this.#tookMs += ms
    this.#taken += 1
  }

  /** As the last whole second showed it; null: the dialer keeps nothing waiting. */
  slow(now: number): Slow | null {
    const ms = now - this.#from
    if (ms < measuredEveryMs) return this.#slow
    this.full(this.#fullSince !== null, now)
    const isSlow = this.#fullMs / ms > fullShareMin && this.#taken > 0
    this.#slow = isSlow
      ? {
          answersInMs: rounded(this.#tookMs / this.#taken),
          callsPerSecond: Math.max(1, rounded((this.#taken / ms) * 1000)),
        }
      : null
    this.#from = now
    this.#fullMs = 0
    this.#tookMs = 0
    this.#taken = 0
    return this.#slow
  }
}

/** Two digits: what is read again and again is not to flicker. */
function rounded(value: number): number {
  return Number(value.toPrecision(2))
}
