import { AppError } from '../errors.ts'

/** The owner of the work, usually an account's id. */
export type Whose = number | string

type FairSemaphoreOptions = {
  ofEach?: number
  /** How many may wait; others get 503. Left out where each account has its own limit (modules/limits). */
  waitingMax?: number
}

const againAfterSeconds = 2

/**
 * The process's only queue for one kind of work, of which a limited number runs at once. Owners take turns, each with its own work in order, so that
 * an owner with much work delays nobody by more than one piece of it.
 */
export class FairSemaphore {
  #free: number
  #waits = 0
  readonly #ofEach: number
  readonly #waitingMax: number
  readonly #running = new Map<Whose, number>()
  /** In the order of their turns: an owner who had one moves to the end. */
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
      const queue = this.#waiting.get(whose)
      if (queue) queue.push(begin)
      else this.#waiting.set(whose, [begin])
    })
  }

  /** Passes the place to the next one waiting before a newcomer can take it. */
  #ended(whose: Whose): void {
    const left = (this.#running.get(whose) ?? 1) - 1
    if (left > 0) this.#running.set(whose, left)
    else this.#running.delete(whose)
    this.#free += 1
    for (const [next, queue] of this.#waiting) {
      if (!this.#mayRun(next)) continue
      this.#waiting.delete(next)
      const begin = queue.shift()
      if (queue.length > 0) this.#waiting.set(next, queue)
      this.#waits -= 1
      this.#begins(next)
      begin?.()
      return
    }
  }
}
