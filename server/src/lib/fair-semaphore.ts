import { AppError } from '../errors.ts'

/** Whose work it is, usually an account's id. */
export type Whose = number | string

type FairSemaphoreOptions = {
  /** How many at once for each owner. */
  ofEach?: number
  /** How many may wait; more get 503. Left out where each account has a limit of its own (modules/limits). */
  waitingMax?: number
}

const againAfterSeconds = 2

/**
 * The process's only queue for work of one kind: so many run at once. Waiting work is taken by turns of its owners, each owner's in order, so
 * that an owner with many works keeps nobody waiting for more than one of them.
 */
export class FairSemaphore {
  #free: number
  #waits = 0
  readonly #ofEach: number
  readonly #waitingMax: number
  readonly #running = new Map<Whose, number>()
  /** In the order of their turns: an owner who has had one goes to the end. */
  readonly #waiting = new Map<Whose, (() => void)[]>()

  constructor(atOnce: number, { ofEach = Infinity, waitingMax = Infinity }: FairSemaphoreOptions = {}) {
    this.#free = atOnce
    this.#ofEach = ofEach
    this.#waitingMax = waitingMax
  }

  async run<T>(work: () => Promise<T>, whose: Whose = ''): Promise<T> {
    if (this.#free > 0 && this.#mayRun(whose)) this.#begins(whose)
    else await this.#turnOf(whose)
    try {
      return await work()
    } finally {
      this.#ended(whose)
    }
  }

  #mayRun(whose: Whose): boolean {
    return (this.#running.get(whose) ?? 0) < this.#ofEach
  }

  #begins(whose: Whose): void {
    this.#free -= 1
    this.#running.set(whose, (this.#running.get(whose) ?? 0) + 1)
  }

  async #turnOf(whose: Whose): Promise<void> {
    if (this.#waits >= this.#waitingMax) throw new AppError('not_ready', [], { retryAfterSeconds: againAfterSeconds })
    this.#waits += 1
    await new Promise<void>((begin) => {
      const line = this.#waiting.get(whose)
      if (line) line.push(begin)
      else this.#waiting.set(whose, [begin])
    })
  }

  /** The place passes to the next at once, before anybody new can take it. */
  #ended(whose: Whose): void {
    const left = (this.#running.get(whose) ?? 1) - 1
    if (left > 0) this.#running.set(whose, left)
    else this.#running.delete(whose)
    this.#free += 1
    for (const [next, line] of this.#waiting) {
      if (!this.#mayRun(next)) continue
      this.#waiting.delete(next)
      const begin = line.shift()
      if (line.length > 0) this.#waiting.set(next, line)
      this.#waits -= 1
      this.#begins(next)
      begin?.()
      return
    }
  }
}
