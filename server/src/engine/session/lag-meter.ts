const sampleMs = 20

/** How late the event loop was, for several readers that each ask what was the longest since they asked last. */
export class LagMeter {
  /** Each reader's longest. */
  readonly #longest = new Map<symbol, number>()
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #sampledAt: number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#sampledAt = now()
    this.#timer = setInterval(() => this.sample(), sampleMs)
  }

  /** Its own longest delay in ms each time, one that is under way included. */
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

  /** Due every 20 ms: what it is late by was a delay. */
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
