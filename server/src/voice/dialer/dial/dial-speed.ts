/** Measures how fast a dialer takes calls, where calls wait for the dialer and not for their rate. */
export type Slow = { answersInMs: number; callsPerSecond: number }

/** Long enough for a figure, short enough to notice that the dialer has recovered. */
const measuredEveryMs = 1000
/** The dialer is slow when calls wait for more than this ratio of the time. */
const fullRatioMin = 0.5

export class DialSpeed {
  #from: number
  /** Since when calls wait for others that are being dialled. Null: none does. */
  #fullSince: number | null = null
  #fullMs = 0
  #tookMs = 0
  #taken = 0
  #slow: Slow | null = null

  constructor(now: number) {
    this.#from = now
  }

  full(isFull: boolean, now: number): void {
    if (this.#fullSince !== null) this.#fullMs += now - this.#fullSince
    this.#fullSince = isFull ? now : null
  }

  took(ms: number): void {
    this.#tookMs += ms
    this.#taken += 1
  }

  /** Calls a second, from the last whole window. Null: the dialer keeps nothing waiting. */
  slow(now: number): Slow | null {
    const ms = now - this.#from
    if (ms < measuredEveryMs) return this.#slow
    this.full(this.#fullSince !== null, now)
    const isSlow = this.#fullMs / ms > fullRatioMin && this.#taken > 0
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

/** Rounds to two digits, so that a figure which is read again and again does not flicker. */
function rounded(value: number): number {
  return Number(value.toPrecision(2))
}
