/** Shorter would wake an idle process more often than all else that it does. */
const sampleMs = 50

/** Measures how late the event loop was, for several readers that each get the longest delay since they last asked. */
export class LagMeter {
  readonly #longest = new Map<symbol, number>()
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #sampledAt: number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#sampledAt = now()
    this.#timer = setInterval(() => this.sample(), sampleMs)
  }

  /** A reader. Each read answers its own longest delay in ms since the last one, a delay under way included. */
  reader(): { read: () => number; end: () => void } {
    const key = Symbol('reader')
    this.#longest.set(key, 0)
    return {
      read: () => {
        this.sample()
        const longest = this.#longest.get(key) ?? 0
        this.#longest.set(key, 0)
        return longest
      },
      end: () => void this.#longest.delete(key),
    }
  }

  /** The timer is due every 50 ms; any lateness was a delay. */
  sample(): void {
    const now = this.#now()
    const lateMs = now - this.#sampledAt - sampleMs
    this.#sampledAt = now
    for (const [key, longest] of this.#longest) if (lateMs > longest) this.#longest.set(key, lateMs)
  }

  end(): void {
    clearInterval(this.#timer)
  }
}
