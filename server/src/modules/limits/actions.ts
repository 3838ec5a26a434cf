import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { waitMsOf } from '../auth/actions-throttle.ts'
import {
  busyAgainSeconds,
  tooMuchADay,
  tooMuchAMinute,
  tooMuchAtOnce,
  workLimits,
  type Whose,
  type WorkKind,
  type WorkLimit,
} from './rules.ts'

const minuteSeconds = 60
const daySeconds = 24 * 60 * minuteSeconds
/** How long a process goes by what the database said of a limit that was reached. */
const reachedKeptMs = 1000
const reachedMax = 1000

/**
 * Limits each account's work: what is under way in this process, and what was started within a minute and a day in all processes. Work that
 * passes then queues by kind (fair-semaphore.ts).
 */
export class WorkLimits {
  readonly #limits: Readonly<Record<WorkKind, WorkLimit>>
  readonly #underWay = new Map<string, number>()
  /** Of strangers, in memory: each process has so many, and their floods write nothing. */
  readonly #ofNetworks = new Map<WorkKind, RateLimiterMemory>()
  /** Limits that were reached, with the monotonic time when that was read and the milliseconds that were left: whoever asks on costs no statement. */
  readonly #reached = new Map<string, { at: number; waitMs: number }>()

  constructor(limits: Readonly<Record<WorkKind, WorkLimit>> = workLimits) {
    this.#limits = limits
  }

  turnOf(kind: WorkKind): WorkLimit['turn'] {
    return this.#limits[kind].turn
  }

  isByNetwork(kind: WorkKind): boolean {
    return this.#limits[kind].byNetwork
  }

  async run<T>(db: Db, kind: WorkKind, accountId: number, work: () => Promise<T>): Promise<T> {
    const end = await this.begin(db, kind, accountId)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Counts work of an account that begins; call the result when it ended. Throws 429 with what there is too much of and when to try again. */
  async begin(db: Db, kind: WorkKind, accountId: number): Promise<() => void> {
    const limit = this.#limits[kind]
    const key = `${kind} of ${accountId}`
    return await this.#under(key, limit, 'account', async () => {
      const minute = await this.#waitSecondsOf(db, key, { points: limit.perMinute, seconds: minuteSeconds })
      if (minute > 0) throw tooMuch(tooMuchAMinute(limit, minute), minute)
      // Only what the minute admits, so that a program that tries again too soon does not use up its day.
      const day = await this.#waitSecondsOf(db, `${key} a day`, { points: limit.perDay, seconds: daySeconds })
      if (day > 0) throw tooMuch(tooMuchADay(limit, day), day)
    })
  }

  /** The same for somebody without a session, by network. */
  async beginOfNetwork(kind: WorkKind, network: string): Promise<() => void> {
    const limit = this.#limits[kind]
    return await this.#under(`${kind} of network ${network}`, limit, 'network', async () => {
      if (limit.perMinute === Infinity) return
      const seconds = await this.#networksOf(kind)
        .consume(network)
        .then(
          () => 0,
          (refused: unknown) => {
            if (refused instanceof RateLimiterRes) return Math.ceil(refused.msBeforeNext / 1000)
            throw refused
          },
        )
      if (seconds > 0) throw tooMuch(tooMuchAMinute(limit, seconds, 'network'), seconds, 'network')
    })
  }

  async #waitSecondsOf(db: Db, key: string, limit: { points: number; seconds: number }): Promise<number> {
    if (limit.points === Infinity) return 0
    const now = performance.now()
    const reached = this.#reached.get(key)
    const leftMs = reached && now - reached.at < reachedKeptMs ? reached.at + reached.waitMs - now : 0
    if (leftMs > 0) return Math.ceil(leftMs / 1000)
    this.#reached.delete(key)
    const waitMs = await waitMsOf(db, key, limit)
    if (waitMs > 0) this.#remember(key, { at: now, waitMs })
    return Math.ceil(waitMs / 1000)
  }

  #remember(key: string, reached: { at: number; waitMs: number }): void {
    if (this.#reached.size >= reachedMax)
      for (const [other, { at }] of this.#reached) if (reached.at - at >= reachedKeptMs) this.#reached.delete(other)
    this.#reached.set(key, reached)
  }

  #networksOf(kind: WorkKind): RateLimiterMemory {
    const { perMinute: points } = this.#limits[kind]
    const networks = this.#ofNetworks.get(kind) ?? new RateLimiterMemory({ points, duration: minuteSeconds })
    this.#ofNetworks.set(kind, networks)
    return networks
  }

  async #under(key: string, limit: WorkLimit, whose: Whose, rate: () => Promise<void>): Promise<() => void> {
    const underWay = this.#underWay.get(key) ?? 0
    if (underWay >= limit.atOnce) throw tooMuch(tooMuchAtOnce(limit, whose), busyAgainSeconds, whose)
    this.#underWay.set(key, underWay + 1)
    const end = (): void => {
      const left = (this.#underWay.get(key) ?? 1) - 1
      if (left > 0) this.#underWay.set(key, left)
      else this.#underWay.delete(key)
    }
    try {
      await rate()
      return end
    } catch (error) {
      end()
      throw error
    }
  }
}

export function tooMuch(text: string, retryAfterSeconds: number, field: Whose | 'key' = 'account'): AppError {
  return new AppError('throttled', [{ field, code: 'throttled', text }], { retryAfterSeconds })
}
