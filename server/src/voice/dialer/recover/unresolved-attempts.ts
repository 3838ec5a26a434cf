import type { Call } from '../call/call.ts'

/** How long after the request's own deadline the engine asks about a call that may have rung. */
const askAfterMs = 2000

/**
 * Calls that may have rung. The engine asks about them together, since each question costs the dialer a list of all its channels and a part of
 * its record.
 */
export class UnresolvedAttempts {
  readonly #ask: (calls: readonly Call[]) => void
  #waiting: { call: Call; since: number }[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(ask: (calls: readonly Call[]) => void) {
    this.#ask = ask
  }

  add(call: Call): void {
    this.#waiting.push({ call, since: performance.now() })
    this.#timer ??= setTimeout(() => this.#askDue(), askAfterMs)
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#waiting = []
  }

  #askDue(): void {
    const asked = performance.now()
    const due = this.#waiting.filter(({ since }) => asked - since >= askAfterMs - 1)
    this.#waiting = this.#waiting.filter((one) => !due.includes(one))
    this.#timer = this.#waiting.length > 0 ? setTimeout(() => this.#askDue(), askAfterMs) : null
    if (due.length > 0) this.#ask(due.map(({ call }) => call))
  }
}
