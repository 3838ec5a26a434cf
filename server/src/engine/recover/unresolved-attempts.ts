import type { Call } from '../call/call.ts'

/** What may have rung is asked for when the request's own deadline has passed so long ago. */
const doubtMs = 2000

/** Calls that may have rung: asked for together, since each question costs the dialer all its channels and a part of its record. */
export class UnresolvedAttempts {
  readonly #ask: (calls: readonly Call[]) => void
  #waiting: { call: Call; since: number }[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(ask: (calls: readonly Call[]) => void) {
    this.#ask = ask
  }

  add(call: Call): void {
    this.#waiting.push({ call, since: performance.now() })
    this.#timer ??= setTimeout(() => this.#askDue(), doubtMs)
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#waiting = []
  }

  #askDue(): void {
    const asked = performance.now()
    const due = this.#waiting.filter(({ since }) => asked - since >= doubtMs - 1)
    this.#waiting = this.#waiting.filter((one) => !due.includes(one))
    this.#timer = this.#waiting.length > 0 ? setTimeout(() => this.#askDue(), doubtMs) : null
    if (due.length > 0) this.#ask(due.map(({ call }) => call))
  }
}
