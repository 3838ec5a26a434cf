const sampleMs = 50
/** A reader that comes less often than this has nothing to do, and does not need samples. */
const restsAfterMs = 1000

type Reader = { longestMs: number; readAt: number }

/**
 * Measures how late the event loop was, for several readers that each get the longest delay since they last asked. Takes samples only while
 * some reader comes often: an idle process would be woken by them more often than by all else that it does.
 */
export class LagMeter {
  readonly #readers = new Set<Reader>()
  readonly #now: () => number
  #timer: NodeJS.Timeout | null = null
  #sampledAt = 0
  #neededUntil = -Infinity

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** A reader. Each read answers its own longest delay in ms since the last one, a delay under way included. After a rest: since this read. */
  reader(): { read: () => number; end: () => void } {
    const reader: Reader = { longestMs: 0, readAt: this.#now() }
    this.#readers.add(reader)
    this.#need()
    return {
      read: () => {
        this.sample()
        const now = this.#now()
        if (now - reader.readAt < restsAfterMs) this.#need()
        const { longestMs } = reader
        Object.assign(reader, { longestMs: 0, readAt: now })
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
    if (now > this.#neededUntil) this.end()
  }

  end(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  #need(): void {
    const now = this.#now()
    this.#neededUntil = now + restsAfterMs
    if (this.#timer) return
    this.#sampledAt = now
    this.#timer = setInterval(() => this.sample(), sampleMs)
  }
}
