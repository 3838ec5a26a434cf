/** How long a segment waits at most: the engine has claimed its message, which another gateway might carry. */
const timeoutMs = 30_000
/** The most that a late timer may make up for. */
const lateMs = 20
const firstPauseMs = 500
const pauseMsMax = 30_000
const always = (): boolean => true

type Waiter = { until: number; mayLeave: () => boolean; resolve: (may: boolean) => void }

/**
 * Decides when segments may leave: at most `window` await an answer, and at most `tps` leave in any second, evenly and in order. When the gateway
 * refuses for lack of room, nothing leaves for half a second, twice as long each further time; the rate falls by a fifth and slowly rises again.
 */
export class RateLimiter {
  readonly #window: number
  readonly #tps: number
  #rate: number
  #used = 0
  #nextAt = 0
  #pauseMs = 0
  #pausedUntil = 0
  #throttledAt = 0
  /** When the last `tps` segments left, as a ring; `#oldest` is the index of the first. */
  readonly #sentAt: number[] = []
  #oldest = 0
  readonly #waiting = new Set<Waiter>()
  #timer: NodeJS.Timeout | null = null
  #ended = false

  constructor({ window, tps }: { window: number; tps: number }) {
    this.#window = window
    this.#tps = tps
    this.#rate = tps
  }

  /**
   * Takes a place in the window; `give` returns it. False, without a place: it waited too long, may not leave any more (asked when its turn comes),
   * or the limiter has ended.
   */
  take(mayLeave: () => boolean = always): Promise<boolean> {
    if (this.#ended) return Promise.resolve(false)
    return new Promise((resolve) => {
      this.#waiting.add({ until: performance.now() + timeoutMs, mayLeave, resolve })
      this.#run()
    })
  }

  give(): void {
    this.#used -= 1
    this.#run()
  }

  get used(): number {
    return this.#used
  }

  perSecond(now = performance.now()): number {
    let count = 0
    for (const at of this.#sentAt) if (now - at < 1000) count += 1
    return count
  }

  /** `sentAt`: when the refused segment was sent, so that segments that were under way together count once. */
  throttled(sentAt: number, now = performance.now()): void {
    if (sentAt < this.#throttledAt) return
    this.#throttledAt = now
    this.#pauseMs = Math.min(pauseMsMax, Math.max(firstPauseMs, this.#pauseMs * 2))
    this.#pausedUntil = now + this.#pauseMs
    this.#rate = Math.max(1, this.#rate * 0.8)
  }

  accepted(sentAt: number): void {
    if (sentAt < this.#throttledAt) return
    this.#pauseMs = 0
    if (this.#rate < this.#tps) this.#rate = Math.min(this.#tps, this.#rate + (0.02 * this.#tps) / this.#rate)
  }

  /** From now on `take` returns false, also for those that wait. */
  end(): void {
    this.#ended = true
    this.refuseWaiting()
    if (this.#timer) clearTimeout(this.#timer)
  }

  refuseWaiting(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const { resolve } of waiting) resolve(false)
  }

  #run(): void {
    for (const first of this.#waiting) {
      const now = performance.now()
      const mayAt = this.#used >= this.#window ? Infinity : this.#mayAt()
      if (now < first.until && now < mayAt) return this.#wakeAt(Math.min(first.until, mayAt), now)
      this.#waiting.delete(first)
      const leaves = now < first.until && first.mayLeave()
      if (leaves) this.#leaves(now)
      first.resolve(leaves)
    }
  }

  #mayAt(): number {
    const full = this.#sentAt.length >= this.#tps
    return Math.max(this.#nextAt, this.#pausedUntil, full ? (this.#sentAt[this.#oldest] ?? 0) + 1000 : 0)
  }

  #leaves(now: number): void {
    this.#used += 1
    this.#nextAt = Math.max(this.#nextAt, now - lateMs) + 1000 / this.#rate
    this.#sentAt[this.#oldest] = now
    this.#oldest = (this.#oldest + 1) % this.#tps
  }

  #wakeAt(at: number, now: number): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#run(), Math.max(1, at - now))
  }
}
