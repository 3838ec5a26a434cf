const sampleMs = 50
/** How often all readers are asked whether they rest. */
const askMs = 1000

type Reader = { longestMs: number; rests: () => boolean }

/**
 * Measures how late the event loop was, for several readers that each get the longest delay since they last asked. Takes no samples while all
 * readers rest: an idle process would be woken by them more often than by all else that it does.
 */
export class LagMeter {
  readonly #readers = new Set<Reader>()
  readonly #now: () => number
  #timer: NodeJS.Timeout | null = null
  #sampledAt = 0
  #askedAt = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * A reader. Each read answers its own longest delay in ms since the last one, a delay under way included. `rests`: what is measured is of no use
   * to it now; delays before its first read after a rest may be missing.
   */
  reader(rests = () => false): { read: () => number; end: () => void } {
    const reader: Reader = { longestMs: 0, rests }
    this.#readers.add(reader)
    this.#begin()
    return {
      read: () => {
        this.sample()
        if (!rests()) this.#begin()
        const { longestMs } = reader
        reader.longestMs = 0
        return longestMs
      },
      end: () => void this.#readers.delete(reader),
    }
  }

  /** The timer is due every 50 ms; any lateness was a delay. */
  sample(): void {
    if (!this.#timer) return
    const now = this.#now()
    const lateMs = now - this.#sampledAt - sampleMs
    this.#sampledAt = now
    if (lateMs > 0) for (const reader of this.#readers) reader.longestMs = Math.max(reader.longestMs, lateMs)
    if (now - this.#askedAt < askMs) return
    this.#askedAt = now
    if ([...this.#readers].every(({ rests }) => rests())) this.end()
  }

  end(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  #begin(): void {
    if (this.#timer) return
    this.#sampledAt = this.#askedAt = this.#now()
    this.#timer = setInterval(() => this.sample(), sampleMs)
  }
}
