import type { OperatorRanges } from '@ghanti/contract/operators.ts'
import * as z from 'zod/mini'
import { settings } from '../../../modules/platform/rules.ts'
import { putOffReason } from '../decide/decide.ts'
import type { Claim, ClaimRequest, NumberCaps } from '../../model/campaigns/claim.sql.ts'
import { looksAfter, type LastClaim } from '../../../dispatch/turns/looks.ts'
import { loadPutOffCaps, recallPutOff, savePutOffCaps, type RowPlace } from '../../model/campaigns/numbers.sql.ts'
import type { Lease, Queryable } from '../../../dispatch/statement.ts'

/** After how long a row whose number is in another call is tried again. */
const busyMs = 5000
const busyMsMin = 100
/** How many rows are made due again in a tick. */
const recalledAtOnce = 10_000
const beforeAll: RowPlace = { campaignId: 0, rowNo: -1 }
type OfStream = { campaignId: number; stream: number | null }
const capNames = ['answered', 'attempted', 'platform'] as const

/** What a dialer's claims need to know about rows that wait because of their numbers, and what the claims found. */
export class PutOffRows {
  readonly #db: Queryable
  readonly #lease: Lease
  readonly #recalledAtOnce: number
  #caps: NumberCaps | null = null
  /** The operators of the numbers. Undefined: before the first tick. */
  operators: OperatorRanges | undefined
  /** The lowest caps for which rows may be waiting, stored with the lease for the next holder. Null: not known. */
  #lowest: NumberCaps | null = null
  /** The last row that was made due again. Null: all rows that had to be made due are. */
  #recalledTo: RowPlace | null = null
  /** By campaign and stream, the last claim that met rows that may not be called. */
  readonly #last = new Map<number, Map<number | null, Pick<Claim, 'putOff'> & LastClaim>>()

  constructor(db: Queryable, lease: Lease, atOnce = recalledAtOnce) {
    this.#db = db
    this.#lease = lease
    this.#recalledAtOnce = atOnce
  }

  /**
   * Raised caps, also when they were raised while nobody dialled here, make rows due that waited for tomorrow: a part of them with each call
   * of this function.
   */
  async capsAre(caps: NumberCaps): Promise<void> {
    if (!this.#caps || isAnyAbove(caps, this.#caps) || isAnyAbove(this.#caps, caps)) await this.#changed(caps)
    if (!this.#recalledTo) return
    this.#recalledTo = await recallPutOff(this.#db, this.#lease, this.#recalledTo, this.#recalledAtOnce)
    if (!this.#recalledTo) await this.#keep(caps)
  }

  /** The caps have changed, or this engine has just started. The stored caps are updated before any row is put off because of them. */
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

  limitsFor(
    { campaignId, stream, wanted }: OfStream & { wanted: number },
    timeScale: number,
  ): Pick<ClaimRequest, 'caps' | 'busyMs' | 'looks' | 'operators'> {
    return {
      caps: this.#caps ?? settings.numberCaps.fallback,
      ...(this.operators && { operators: this.operators }),
      busyMs: Math.max(busyMsMin, Math.round(busyMs * timeScale)),
      looks: looksAfter(this.#last.get(campaignId)?.get(stream), wanted),
    }
  }

  claimed({ campaignId, stream }: OfStream, { calls, putOff, suppressed }: Claim): void {
    const byStream = this.#last.get(campaignId)
    if (!putOff && suppressed === 0) return void byStream?.delete(stream)
    const passed = suppressed + (putOff?.rows ?? 0)
    this.#last.set(campaignId, (byStream ?? new Map()).set(stream, { putOff, taken: calls.length, passed }))
  }

  /** Why the campaign's last claim called nobody. Null: not because of numbers. */
  reasonOf(campaignId: number, now: Date): string | null {
    const putOff = [...(this.#last.get(campaignId)?.values() ?? [])].find((last) => last.putOff)?.putOff
    return putOff ? putOffReason(putOff.calledToday, putOff.dueAt, now) : null
  }

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
