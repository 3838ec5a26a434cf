import { AppError } from '../errors.ts'
import { FairQueue, type Whose } from './fair-queue.ts'

type FairSemaphoreOptions = {
  /** How much of each owner, and of each group, runs at once. A name that stands in several paths is limited over all of them. */
  ofEach?: number
  /** How much of an owner may wait; more of it gets 503. Left out where each account has its own limit (modules/limits). */
  waitingOfEach?: number
  /** How long an owner may work before it has to rest so that it works for `share` of the time from then on; never longer than `restMsMax`. Rest is saved up meanwhile. */
  workMsMax?: number
  /** A half, unless said otherwise. */
  share?: number
  /** How much may wait in all. Beyond that, whoever has the most waiting gets 503 for its newest, so that nobody is kept out by others. */
  waitingMax?: number
}

/** What an owner has worked more than it has rested, in milliseconds, as of `at`, on the monotonic clock. */
type Worked = { ms: number; at: number }

type Waiting = { path: readonly Whose[]; begin: () => void; refuse: (error: AppError) => void }

const againAfterSeconds = 2
const restMsMax = 5000
/** Owners whose work is remembered although they may have rested. */
const workedKept = 1000

/**
 * The process's only queue for one kind of work, of which a limited number runs at once. Owners take turns, each with its own work in order, so that
 * an owner with much work delays nobody by more than one piece of it. Where owners cost nothing to make (addresses, names), they wait in groups.
 */
export class FairSemaphore {
  #free: number
  readonly #options: Required<FairSemaphoreOptions>
  readonly #running = new Map<Whose, number>()
  readonly #waiting = new FairQueue<Waiting>()
  readonly #worked = new Map<Whose, Worked>()
  #restOver: NodeJS.Timeout | undefined

  constructor(atOnce: number, options: FairSemaphoreOptions = {}) {
    this.#free = atOnce
    this.#options = {
      ofEach: Infinity,
      waitingOfEach: Infinity,
      waitingMax: Infinity,
      workMsMax: Infinity,
      share: 1 / 2,
      ...options,
    }
  }

  /** `whose`: the owner, or the path to the owner from the largest group. */
  async run<T>(work: () => Promise<T>, whose: Whose | readonly Whose[] = ''): Promise<T> {
    const path = typeof whose === 'object' ? whose : [whose]
    if (this.#free > 0 && this.#waiting.sizeOf(path) === 0 && this.#mayRun(path, performance.now())) this.#begins(path)
    else await this.#turnOf(path)
    const began = performance.now()
    try {
      return await work()
    } finally {
      this.#ended(path, performance.now() - began)
    }
  }

  #mayRun(path: readonly Whose[], now: number): boolean {
    return path.every((one) => (this.#running.get(one) ?? 0) < this.#options.ofEach && this.#restMsOf(one, now) <= 0)
  }

  /** How long this owner must rest before anything of it may begin. */
  #restMsOf(one: Whose, now: number): number {
    const worked = this.#worked.get(one)
    return worked === undefined ? 0 : worked.ms - (now - worked.at) - this.#options.workMsMax
  }

  /**
   * What runs is rested from meanwhile, so at a share of a half it counts twice: an owner that always has something to do works half of the time. A
   * database that stood still for everybody is not an owner's fault, so no rest is long.
   */
  #hasWorked(one: Whose, ms: number): void {
    const now = performance.now()
    const left = ({ ms, at }: Worked): number => Math.max(0, ms - (now - at))
    if (this.#worked.size >= workedKept)
      for (const [other, of] of this.#worked) if (left(of) === 0) this.#worked.delete(other)
    const before = this.#worked.get(one)
    const worked = (before ? left(before) : 0) + ms / this.#options.share
    this.#worked.set(one, { ms: Math.min(worked, this.#options.workMsMax + restMsMax), at: now })
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
    await new Promise<void>((begin, refuse) => {
      this.#waiting.add({ path, begin, refuse }, path)
      this.#beginNext()
    })
  }

  #ended(path: readonly Whose[], workedMs: number): void {
    this.#free += 1
    for (const one of path) {
      const left = (this.#running.get(one) ?? 1) - 1
      if (left > 0) this.#running.set(one, left)
      else this.#running.delete(one)
      if (this.#options.workMsMax < Infinity) this.#hasWorked(one, workedMs)
    }
    this.#beginNext()
  }

  /** Passes free places to those waiting, before a newcomer can take them. */
  #beginNext(): void {
    const now = performance.now() // one for all: who may not begin yet is waited for
    while (this.#free > 0) {
      const next = this.#waiting.next((waiting) => this.#mayRun(waiting.path, now))
      if (!next) break
      this.#begins(next.path)
      next.begin()
    }
    this.#lookAfterRest(now)
  }

  /** What waits only until its owner has rested begins by a timer: no work's end may come first. */
  #lookAfterRest(now: number): void {
    clearTimeout(this.#restOver)
    if (this.#waiting.size === 0) return
    const rests = [...this.#worked.keys()].map((one) => this.#restMsOf(one, now)).filter((ms) => ms > 0)
    if (rests.length > 0) this.#restOver = setTimeout(() => this.#beginNext(), Math.ceil(Math.min(...rests)))
  }
}
