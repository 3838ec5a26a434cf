import { settings } from '../modules/platform/rules.ts'
import { putOffReason } from './decide.ts'
import type { Claim, ClaimRequest, NumberCaps } from './dispatch-claim.sql.ts'
import { recallPutOff } from './numbers.sql.ts'
import type { Queryable } from './statement.ts'

/** A row whose number is in another call is tried again after this. */
const busyMs = 5000
const busyMsMin = 100
/** Where nobody of those whose turn it was may be called, so many are looked at the next time. */
const looksMax = 1000

/** What a dialer's claims need to know of rows that wait for their numbers' sake, and what they found. */
export class PutOffRows {
  readonly #db: Queryable
  readonly #dialerId: number
  #caps: NumberCaps | null = null
  /** Of the last claim of each campaign that put rows off. `isAll`: it called nobody. */
  readonly #last = new Map<number, NonNullable<Claim['putOff']> & { isAll: boolean }>()

  constructor(db: Queryable, dialerId: number) {
    this.#db = db
    this.#dialerId = dialerId
  }

  /** Raised, they let rows go on that were to wait for tomorrow. */
  async capsAre(caps: NumberCaps): Promise<void> {
    const before = this.#caps
    if (before && (['answered', 'attempted', 'platform'] as const).some((name) => caps[name] > before[name]))
      await recallPutOff(this.#db, this.#dialerId)
    this.#caps = caps
  }

  wishesFor(campaignId: number, timeScale: number): Pick<ClaimRequest, 'caps' | 'busyMs' | 'looks'> {
    return {
      caps: this.#caps ?? settings.numberCaps.fallback,
      busyMs: Math.max(busyMsMin, Math.round(busyMs * timeScale)),
      looks: this.#last.get(campaignId)?.isAll ? looksMax : 0,
    }
  }

  claimed(campaignId: number, { calls, putOff }: Claim): void {
    if (putOff) this.#last.set(campaignId, { ...putOff, isAll: calls.length === 0 })
    else this.#last.delete(campaignId)
  }

  /** Why its last claim called nobody; null: for no number's sake. */
  reasonOf(campaignId: number, now: Date): string | null {
    const last = this.#last.get(campaignId)
    return last ? putOffReason(last.calledToday, last.dueAt, now) : null
  }

  /** Its campaign is. */
  over(campaignId: number): void {
    this.#last.delete(campaignId)
  }
}
