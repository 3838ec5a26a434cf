import type { Call } from '../call/call.ts'
import { arriving, carrying, othersFor, type OtherDialer } from '../../model/campaigns/sharing.ts'
import type { CampaignRow } from '../../model/campaigns/snapshot.sql.ts'
import { cursorIdOf } from '../../model/campaigns/streams.ts'

/** For this long, rows that are yielded to other dialers are not claimed here again. The others learn of them within two ticks. */
export const yieldsMs = 3000
/** How long at most to wait while no other dialer carries the campaign's calls but one is about to (see `arriving`). */
const awaitsMsMax = 10_000
/** How much the clocks of engine and database may differ. */
const skewMs = 1000
/** To how many others in a row a row that no dialer can carry is yielded. Then it waits as after any congestion. */
const othersMax = 3
/** When this many rows in a row were yielded without a call that rang in between, other dialers need not yield any calls to this one. */
const allFrom = 10

/** Rows of one cursor that were yielded to other dialers: when, and until when they are not for this one. Monotonic. */
type Yielded = {
  campaignId: number
  stream: number | null
  rows: readonly { at: number; until: number }[]
  /** How many in a row. */
  run: number
}

type RoutedCampaign = Pick<CampaignRow, 'trunk_id' | 'route' | 'streams' | 'others'>
type OfCampaign = Pick<Call, 'plan' | 'attempt'>

/**
 * Rows whose calls no trunk of this dialer carried, for the other dialers of their route (docs/adr/53). For three seconds only these claim rows that
 * became due since. When every dialer has failed to carry a row, it waits as after any congestion, and then tries them all once more.
 */
export class YieldedRows {
  /** The campaigns that have a route, by id, as the last tick found them. */
  #campaigns: ReadonlyMap<number, RoutedCampaign> = new Map()
  /** By cursor. */
  readonly #yielded = new Map<number, Yielded>()

  routesAre(campaigns: readonly CampaignRow[]): void {
    this.#campaigns = new Map(campaigns.flatMap((one) => (one.route ? [[one.id, one] as const] : [])))
    for (const [cursorId, { campaignId, stream }] of this.#yielded) {
      if (this.#isAwaited(campaignId, stream)) this.#await(cursorId)
      if (this.#yieldedLately(cursorId).length === 0) this.#yielded.delete(cursorId)
    }
  }

  /** The call's campaign and route, as the last tick found them. Undefined: it has no route. */
  routeOf({ plan }: OfCampaign): RoutedCampaign | undefined {
    return this.#campaigns.get(plan.campaignId)
  }

  /** To how many other dialers in a row the call's row may be yielded. */
  othersFor(call: OfCampaign): number {
    const others = othersFor(this.routeOf(call)?.others ?? null, this.#streamOf(call))
    return Math.min(carrying(others).length + arriving(others).length, othersMax)
  }

  /** The row of the call is yielded to the others. */
  yieldRow(call: OfCampaign): void {
    const { campaignId } = call.plan
    const stream = this.#streamOf(call)
    const cursorId = cursorIdOf(campaignId, stream ?? 0)
    const now = performance.now()
    const rows = [...this.#yieldedLately(cursorId), { at: now, until: now + yieldsMs }]
    this.#yielded.set(cursorId, { campaignId, stream, rows, run: (this.#yielded.get(cursorId)?.run ?? 0) + 1 })
  }

  /** A call of the campaign that rang is over, so its trunks here are not all at fault. */
  rang(call: OfCampaign): void {
    const row = this.#yielded.get(cursorIdOf(call.plan.campaignId, this.#streamOf(call) ?? 0))
    if (row) row.run = 0
  }

  /** Rows of the queue that are due after this (µs since 1970) are not for this dialer, because some were just yielded to others. Null: all are for it. */
  yieldsQueueFrom(campaignId: number, stream: number | null): number | null {
    const [first] = this.#yieldedLately(cursorIdOf(campaignId, stream ?? 0))
    return first ? Math.floor(Date.now() - (performance.now() - first.at) - skewMs) * 1000 : null
  }

  /** The rows of the campaign that were just yielded to other dialers, by stream. Null: none. */
  yieldedOf({ id, streams }: Pick<CampaignRow, 'id' | 'streams'>): OtherDialer['yielded'] {
    const found = (streams ?? [{ stream: 0 }]).flatMap(({ stream }) => {
      const cursorId = cursorIdOf(id, stream)
      const rows = this.#yieldedLately(cursorId).length
      if (rows === 0) return []
      return [[stream, (this.#yielded.get(cursorId)?.run ?? 0) >= allFrom ? 'all' : rows] as const]
    })
    return found.length > 0 ? Object.fromEntries(found) : null
  }

  /** Null: the campaign's rows have one cursor. */
  #streamOf(call: OfCampaign): number | null {
    return this.routeOf(call)?.streams ? call.attempt.stream : null
  }

  #yieldedLately(cursorId: number): Yielded['rows'] {
    const now = performance.now()
    return (this.#yielded.get(cursorId)?.rows ?? []).filter(({ until }) => now < until)
  }

  /** Whether no other dialer takes the rows that were yielded yet, but one soon may. */
  #isAwaited(campaignId: number, stream: number | null): boolean {
    const others = othersFor(this.#campaigns.get(campaignId)?.others ?? null, stream)
    return carrying(others).length === 0 && arriving(others).length > 0
  }

  #await(cursorId: number): void {
    const until = performance.now() + yieldsMs
    for (const row of this.#yieldedLately(cursorId)) row.until = Math.min(until, row.at + awaitsMsMax)
  }
}
