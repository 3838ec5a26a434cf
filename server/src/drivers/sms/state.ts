import type { Clock } from '../../clock.ts'
import type { GatewayEvents, GatewayState } from './driver.ts'
import type { RateLimiter } from './rate-limiter.ts'

const everyMs = 1000

/** Reports a gateway's state: at once when it binds, disconnects or fails, otherwise once a second while anything changes. */
export class StateReporter {
  readonly #limiter: RateLimiter
  readonly #events: GatewayEvents
  readonly #clock: Clock
  #bound = false
  #lastError: string | null = null
  #lastErrorAt: Date | null = null
  #timer: NodeJS.Timeout | null = null
  #ended = false

  constructor(limiter: RateLimiter, events: GatewayEvents, clock: Clock) {
    this.#limiter = limiter
    this.#events = events
    this.#clock = clock
  }

  get now(): GatewayState {
    return {
      bound: this.#bound,
      windowUsed: this.#limiter.used,
      perSecond: this.#limiter.perSecond(),
      lastError: this.#lastError,
      lastErrorAt: this.#lastErrorAt,
    }
  }

  bound(): void {
    this.#bound = true
    this.#report()
  }

  failed(reason: string): void {
    this.#bound = false
    this.noted(reason)
    this.#report()
  }

  /** Records an error that leaves the connection usable. */
  noted(reason: string): void {
    this.#lastError = reason
    this.#lastErrorAt = this.#clock.now()
    this.changed()
  }

  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#report()
      if (this.#limiter.used > 0 || this.#limiter.perSecond() > 0) this.changed() // until nothing is under way
    }, everyMs).unref()
  }

  end(): void {
    this.#bound = false
    this.#report()
    this.#ended = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  #report(): void {
    if (!this.#ended) this.#events.state(this.now)
  }
}
