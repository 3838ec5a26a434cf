import type { Logger } from 'pino'

const stillDownMs = 60_000

/** Logs when a dialer goes silent, with the error; once a minute that it is still silent, although it is tried more often; and when it is back. */
export class DownLog {
  readonly #log: Logger
  /** Monotonic. Null: the dialer answers, or was not tried yet. */
  #saidAt: number | null = null

  constructor(log: Logger) {
    this.#log = log
  }

  failed(reason: string, error?: unknown): void {
    const now = performance.now()
    if (this.#saidAt !== null && now - this.#saidAt < stillDownMs) return
    if (this.#saidAt === null) this.#log.warn({ error, reason }, 'the dialer does not answer')
    else this.#log.warn({ reason }, 'the dialer still does not answer')
    this.#saidAt = now
  }

  answers(): void {
    if (this.#saidAt !== null) this.#log.info('the dialer answers again')
    this.#saidAt = null
  }
}
