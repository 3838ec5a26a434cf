import { AppError } from '../errors.ts'
import { FairQueue, type Whose } from './fair-queue.ts'

type FairSemaphoreOptions = {
  /** How much of each owner, and of each group, runs at once. A name that stands in several paths is limited over all of them. */
  ofEach?: number
  /** How much of an owner may wait; more of it gets 503. Left out where each account has its own limit (modules/limits). */
  waitingOfEach?: number
  /** How much may wait in all. Beyond that, whoever has the most waiting gets 503 for its newest, so that nobody is kept out by others. */
  waitingMax?: number
}

type Waiting = { path: readonly Whose[]; begin: () => void; refuse: (error: AppError) => void }

const againAfterSeconds = 2

/**
 * The process's only queue for one kind of work, of which a limited number runs at once. Owners take turns, each with its own work in order, so that
 * an owner with much work delays nobody by more than one piece of it. Where owners cost nothing to make (addresses, names), they wait in groups.
 */
export class FairSemaphore {
  #free: number
  readonly #options: Required<FairSemaphoreOptions>
  readonly #running = new Map<Whose, number>()
  readonly #waiting = new FairQueue<Waiting>()

  constructor(atOnce: number, options: FairSemaphoreOptions = {}) {
    this.#free = atOnce
    this.#options = { ofEach: Infinity, waitingOfEach: Infinity, waitingMax: Infinity, ...options }
  }

  /** `whose`: the owner, or the path to the owner from the largest group. */
  async run<T>(work: () => Promise<T>, whose: Whose | readonly Whose[] = ''): Promise<T> {
    const path = typeof whose === 'object' ? whose : [whose]
    if (this.#free > 0 && this.#mayRun(path)) this.#begins(path)
    else await this.#turnOf(path)
    try {
      return await work()
    } finally {
      this.#ended(path)
    }
  }

  #mayRun(path: readonly Whose[]): boolean {
    return path.every((one) => (this.#running.get(one) ?? 0) < this.#options.ofEach)
  }

  #begins(path: readonly Whose[]): void {
    this.#free -= 1
    for (const one of path) this.#running.set(one, (this.#running.get(one) ?? 0) + 1)
  }

  async #turnOf(path: readonly Whose[]): Promise<void> {
    const { waitingOfEach, waitingMax } = this.#options
    const tooMany = new AppError('not_ready', [], { retryAfterSeconds: againAfterSeconds })
    if (this.#waiting.sizeOf(path) >= waitingOfEach) throw tooMany
    if (this.#waiting.size >= waitingMax) {
      const removed = this.#waiting.makeRoomFor(path)
      if (!removed) throw tooMany
      removed.refuse(tooMany)
    }
    await new Promise<void>((begin, refuse) => this.#waiting.add({ path, begin, refuse }, path))
  }

  /** Passes the place to the next one waiting before a newcomer can take it. */
  #ended(path: readonly Whose[]): void {
    this.#free += 1
    for (const one of path) {
      const left = (this.#running.get(one) ?? 1) - 1
      if (left > 0) this.#running.set(one, left)
      else this.#running.delete(one)
    }
    while (this.#free > 0) {
      const next = this.#waiting.next((waiting) => this.#mayRun(waiting.path))
      if (!next) return
      this.#begins(next.path)
      next.begin()
    }
  }
}
