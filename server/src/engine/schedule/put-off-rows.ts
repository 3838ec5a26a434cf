import type { OperatorRanges } from '@ghanti/contract/operators.ts'
import * as z from 'zod/mini'
import { settings } from '../../modules/platform/rules.ts'
import { putOffReason } from './decide.ts'
import type { Claim, ClaimRequest, NumberCaps } from './claim.sql.ts'
import { loadPutOffCaps, recallPutOff, savePutOffCaps, type RowPlace } from './numbers.sql.ts'
import type { Lease, Queryable } from '../statement.ts'

/** A row whose number is in another call is tried again after this. */
const busyMs = 5000
const busyMsMin = 100
/** Where nobody of those whose turn it was may be called, so many are looked at the next time. */
const looksMax = 1000
/** So many rows a tick are brought back. */
const recalledAtOnce = 10_000
const beforeAll: RowPlace = { campaignId: 0, no: -1 }
const capNames = ['answered', 'attempted', 'platform'] as const

/** What a dialer's claims need to know of rows that wait for their numbers' sake, and what they found. */
export class PutOffRows {
  readonly #db: Queryable
  readonly #lease: Lease
  readonly #recalledAtOnce: number
  #caps: NumberCaps | null = null
  /** Whose numbers are; undefined: before the first tick. */
  operators: OperatorRanges | undefined
  /** The lowest caps for whose sake rows may wait; kept with the lease for whoever has it next. Null: not known. */
  #lowest: NumberCaps | null = null
  /** The last row that was brought back; null: all were that had to be. */
  #recalledTo: RowPlace | null = null
  /** Of the last claim of each campaign that put rows off. `isAll`: it called nobody. */
  readonly #last = new Map<number, NonNullable<Claim['putOff']> & { isAll: boolean }>()

  constructor(db: Queryable, lease: Lease, atOnce = recalledAtOnce) {
    this.#db = db
    this.#lease = lease
    this.#recalledAtOnce = atOnce
  }

  /** Raised, also while nobody dialled here, they let rows go on that were to wait for tomorrow: a part of them each time that this is said. */
  async capsAre(caps: NumberCaps): Promise<void> {
    if (!this.#caps || isAnyAbove(caps, this.#caps) || isAnyAbove(this.#caps, caps)) await this.#changed(caps)
    if (!this.#recalledTo) return
    this.#recalledTo = await recallPutOff(this.#db, this.#lease, this.#recalledTo, this.#recalledAtOnce)
    if (!this.#recalledTo) await this.#keep(caps)
  }

  /** They are others than a moment ago, or this engine has just come. What is kept is true before a row is put off for the sake of these. */
  async #changed(caps: NumberCaps): Promise<void> {
    const kept = this.#caps ? this.#lowest : await loadPutOffCaps(this.#db, this.#lease.dialerId)
    this.#lowest = z.safeParse(settings.numberCaps.schema, kept).data ?? null
    if (this.#lowest && isAnyAbove(this.#lowest, caps)) await this.#keep(lowestOf(this.#lowest, caps))
    this.#recalledTo = !this.#lowest || isAnyAbove(caps, this.#lowest) ? beforeAll : null
    this.#caps = caps
  }

  async #keep(lowest: NumberCaps): Promise<void> {
    await savePutOffCaps(this.#db, this.#lease, lowest)
    this.#lowest = lowest
  }

  limitsFor(campaignId: number, timeScale: number): Pick<ClaimRequest, 'caps' | 'busyMs' | 'looks' | 'operators'> {
    return {
      caps: this.#caps ?? settings.numberCaps.fallback,
      ...(this.operators && { operators: this.operators }),
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

function isAnyAbove(caps: NumberCaps, others: NumberCaps): boolean {
  return capNames.some((name) => caps[name] > others[name])
}

function lowestOf(one: NumberCaps, other: NumberCaps): NumberCaps {
  const lower = (name: keyof NumberCaps): number => Math.min(one[name], other[name])
  return { answered: lower('answered'), attempted: lower('attempted'), platform: lower('platform') }
}
