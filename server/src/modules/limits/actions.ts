import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { waitMsOf } from '../auth/actions-throttle.ts'
import { busyAgainSeconds, tooMuchAMinute, tooMuchAtOnce, workLimits, type WorkKind, type WorkLimit } from './rules.ts'

const minuteSeconds = 60

/**
 * Limits each account's heavy work: what is under way in this process, and what was started within a minute in all processes. Work that
 * passes then queues by kind (fair-semaphore.ts).
 */
export class WorkLimits {
  readonly #limits: Readonly<Record<WorkKind, WorkLimit>>
  readonly #underWay = new Map<string, number>()

  constructor(limits: Readonly<Record<WorkKind, WorkLimit>> = workLimits) {
    this.#limits = limits
  }

  /** Throws 429 with what there is too much of and when to try again. */
  async run<T>(db: Db, kind: WorkKind, accountId: number, work: () => Promise<T>): Promise<T> {
    const limit = this.#limits[kind]
    const key = `${kind} of ${accountId}`
    const underWay = this.#underWay.get(key) ?? 0
    if (underWay >= limit.atOnce) throw tooMuch(tooMuchAtOnce(limit), busyAgainSeconds)
    this.#underWay.set(key, underWay + 1)
    try {
      const waitMs = await waitMsOf(db, key, { points: limit.perMinute, seconds: minuteSeconds })
      const seconds = Math.ceil(waitMs / 1000)
      if (seconds > 0) throw tooMuch(tooMuchAMinute(limit, seconds), seconds)
      return await work()
    } finally {
      const left = (this.#underWay.get(key) ?? 1) - 1
      if (left > 0) this.#underWay.set(key, left)
      else this.#underWay.delete(key)
    }
  }
}

export function tooMuch(text: string, retryAfterSeconds: number): AppError {
  return new AppError('throttled', [{ field: 'account', code: 'throttled', text }], { retryAfterSeconds })
}
