import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { mayTryNextHost } from '../../lib/trunk-limits.ts'
import type { CallEnd, CallPorts } from '../call/call-ports.ts'
import { Call } from '../call/call.ts'
import { cliOfTrunk } from '../call/plan.ts'
import { arriving, carrying, othersFor, type OtherDialer } from '../schedule/shared/sharing.ts'
import type { CampaignRow } from '../schedule/snapshot/snapshot.sql.ts'
import { cursorIdOf } from '../schedule/snapshot/streams.ts'
import type { Classification } from '../settle/disposition.ts'
import type { Lease } from '../statement.ts'
import { nextTrunk, stepsOf } from '../trunks/route/route.ts'
import type { DialerTrunks } from '../trunks/state/trunks.ts'
import { detourChannel } from './channel-names.ts'
import { recordDetour } from './detours.sql.ts'
import type { DialQueue } from './dial-queue.ts'
import type { Switchboard } from './switchboard.ts'

/** The next trunk must have room within this time, as the calls of a claim must. */
const roomWithinMs = 250
/** For this long, rows that are left to other dialers are not claimed here again. The others learn of them within two ticks. */
export const leavesQueueMs = 3000
/** How long at most to wait while no other dialer carries the campaign's calls but one is about to (see `arriving`). */
const awaitsMsMax = 10_000
/** How much the clocks of engine and database may differ. */
const skewMs = 1000
/** How often in a row a row that no dialer can carry is left to the next one. Then it waits as after any congestion. */
const leftMax = 3
/** When this many rows in a row were left without a call that rang in between, other dialers need not leave any calls to this one. */
const allFrom = 10
/** While more outcomes than this wait to be written, the database cannot keep up. */
const waitingMax = 1000

export type DetourOptions = {
  pool: Pool
  log: Logger
  lease: Lease
  switchboard: Switchboard
  trunks: DialerTrunks
  queue: DialQueue
  writer: { waiting: number }
  ports(): CallPorts
  /** Whether calls may begin on the dialer now. */
  mayDial(): boolean
}

/** Rows of one cursor that were left to other dialers: when, and until when they are not for this one. Monotonic. */
type Left = {
  campaignId: number
  stream: number | null
  rows: readonly { at: number; until: number }[]
  /** How many in a row. */
  run: number
}

/**
 * Calls that go on over the next trunk of their route, because theirs was at fault before anything rang. The attempt, its money, its number and
 * its row stay as they were claimed; only trunk and channel change.
 */
export class Detours {
  readonly #of: DetourOptions
  /** The campaigns that have a route, by id, as the last tick found them. */
  #campaigns: ReadonlyMap<number, Pick<CampaignRow, 'trunk_id' | 'route' | 'streams' | 'others'>> = new Map()
  /** Rows that were left to other dialers, by cursor. */
  readonly #left = new Map<number, Left>()

  constructor(of: DetourOptions) {
    this.#of = of
  }

  routesAre(campaigns: readonly CampaignRow[]): void {
    this.#campaigns = new Map(campaigns.flatMap((one) => (one.route ? [[one.id, one] as const] : [])))
    for (const [cursorId, { campaignId, stream }] of this.#left) {
      if (this.#isAwaited(campaignId, stream)) this.#await(cursorId)
      if (this.#leftLately(cursorId).length === 0) this.#left.delete(cursorId)
    }
  }

  /**
   * True: the call that ended goes on over another trunk, and nothing is settled; `settle` is called if that fails after all.
   * False: it cannot go on.
   */
  take(call: Call, end: CallEnd, classified: Classification | null, settle: () => void): boolean {
    if (call.carried) this.#rang(call)
    if (!isFaultBeforeRinging(call, end, classified) || !this.#mayGoOn) return false
    const trunkId = this.#nextOf(call)
    if (trunkId === undefined) return false
    this.#goOn(call, { trunkId, notHosts: [], probe: false }, settle)
    return true
  }

  /**
   * The same over the next host of its trunk. A fault of one host says nothing about the trunk, so this is tried before the trunk's health hears of the end;
   * `classify` is called if the call cannot go on. Where the trunk's calls per second are taken, it waits in the dial queue, and fewer rows are claimed.
   * A call that another engine dialled does not go on: nobody knows which hosts it tried. The agent of a Call Now is rung at the next host, too.
   */
  takeHost(call: Call, end: CallEnd, classified: Classification | null, classify: () => void): boolean {
    const { attempt, isAdopted, probe } = call
    const { trunkId } = attempt.cli
    const host = end.leg?.failedHost
    if (host === undefined || isAdopted || !mayTryNextHost(attempt.notHosts)) return false
    if (!isTrunksFault(call, end, classified) || !this.#mayGoOn) return false
    const { trunks } = this.#of
    if (!trunks.legFree(trunkId) || (trunks.trunk(trunkId)?.health.held && !probe)) return false
    this.#goOn(call, { trunkId, notHosts: [...attempt.notHosts, host], probe }, classify)
    return true
  }

  get #mayGoOn(): boolean {
    return this.#of.mayDial() && this.#of.writer.waiting <= waitingMax
  }

  #goOn(
    { attempt, plan }: Call,
    { trunkId, notHosts, probe }: { trunkId: number; notHosts: readonly string[]; probe: boolean },
    instead: () => void,
  ): void {
    const tried = [...attempt.tried, attempt.cli.trunkId]
    const channelId = detourChannel(attempt.channelId, tried.length)
    const cli = cliOfTrunk(attempt.cli.id, attempt.cli.number, trunkId)
    const next = new Call({ ...attempt, tried, notHosts, channelId, cli }, plan, this.#of.ports(), { probe })
    this.#of.switchboard.add(next) // from here on its channel is taken
    void this.#begin(next, attempt.cli.trunkId, instead)
  }

  /**
   * Whether the row of the call, which no trunk of this dialer carried, goes on over another dialer of its route at once: it is due again as soon as the
   * attempt is settled, and for three seconds only the others claim rows that became due since. When every dialer has failed to carry it, the row
   * waits as after any congestion, and then tries them all once more, since a dialer that was not ready may be ready by then.
   */
  leavesToOthers(call: Call, end: CallEnd, classified: Classification | null): boolean {
    const { campaignId } = call.plan
    const campaign = this.#campaigns.get(campaignId)
    if (!campaign || !isFaultBeforeRinging(call, end, classified)) return false
    const stream = campaign.streams ? call.attempt.stream : null
    const others = othersFor(campaign.others, stream)
    const times = Math.min(carrying(others).length + arriving(others).length, leftMax)
    if (call.attempt.congestions % (times + 1) === times) return false
    const cursorId = cursorIdOf(campaignId, stream ?? 0)
    const now = performance.now()
    const rows = [...this.#leftLately(cursorId), { at: now, until: now + leavesQueueMs }]
    this.#left.set(cursorId, { campaignId, stream, rows, run: (this.#left.get(cursorId)?.run ?? 0) + 1 })
    return true
  }

  /** Rows of the queue that are due after this (µs since 1970) are not for this dialer, because some were just left to others. Null: all are for it. */
  leavesQueueFrom(campaignId: number, stream: number | null): number | null {
    const [first] = this.#leftLately(cursorIdOf(campaignId, stream ?? 0))
    return first ? Math.floor(Date.now() - (performance.now() - first.at) - skewMs) * 1000 : null
  }

  /** The rows of the campaign that were just left to other dialers, by stream. Null: none. */
  leftOf({ id, streams }: Pick<CampaignRow, 'id' | 'streams'>): OtherDialer['left'] {
    const found = (streams ?? [{ stream: 0 }]).flatMap(({ stream }) => {
      const cursorId = cursorIdOf(id, stream)
      const rows = this.#leftLately(cursorId).length
      if (rows === 0) return []
      return [[stream, (this.#left.get(cursorId)?.run ?? 0) >= allFrom ? 'all' : rows] as const]
    })
    return found.length > 0 ? Object.fromEntries(found) : null
  }

  /** A call of the campaign that rang is over, so its trunks here are not all at fault. */
  #rang({ plan: { campaignId }, attempt }: Call): void {
    const stream = this.#campaigns.get(campaignId)?.streams ? attempt.stream : 0
    const left = this.#left.get(cursorIdOf(campaignId, stream))
    if (left) left.run = 0
  }

  #leftLately(cursorId: number): Left['rows'] {
    const now = performance.now()
    return (this.#left.get(cursorId)?.rows ?? []).filter(({ until }) => now < until)
  }

  /** Whether no other dialer takes the rows that were left yet, but one soon may. */
  #isAwaited(campaignId: number, stream: number | null): boolean {
    const others = othersFor(this.#campaigns.get(campaignId)?.others ?? null, stream)
    return carrying(others).length === 0 && arriving(others).length > 0
  }

  #await(cursorId: number): void {
    const until = performance.now() + leavesQueueMs
    for (const row of this.#leftLately(cursorId)) row.until = Math.min(until, row.at + awaitsMsMax)
  }

  /** A trunk with room that the route has for the number and that the attempt has not tried. */
  #nextOf({ attempt, plan }: Call): number | undefined {
    const { trunks, queue } = this.#of
    const campaign = this.#campaigns.get(plan.campaignId)
    if (!campaign) return undefined
    const left = stepsOf(campaign, campaign.streams ? attempt.stream : null).filter(
      ({ trunkId }) =>
        trunkId !== attempt.cli.trunkId &&
        !attempt.tried.includes(trunkId) &&
        trunks.clis.mayShow(trunkId, attempt.cli.number) &&
        trunks.legFree(trunkId),
    )
    if (left.length === 0) return undefined
    const room = trunks.room([], queue.byTrunk, roomWithinMs)
    if (Math.min(room.dialer, queue.room(trunks.begunLately(null))) <= 0) return undefined
    return nextTrunk(left, {
      room: (trunkId) => room.trunks.get(trunkId) ?? 0,
      inUse: (trunkId) => room.inUse.get(trunkId) ?? 0,
    })
  }

  /** Dialled only after the database has it. Nobody knows what a statement without an answer did: the attempt is then given back. */
  async #begin(next: Call, from: number, settle: () => void): Promise<void> {
    const { pool, lease, log, queue, switchboard } = this.#of
    const { attempt, plan } = next
    const { payerIds, blacklistOwnerIds } = plan
    const detour = { attemptId: attempt.id, from, to: attempt.cli.trunkId, payerIds, blacklistOwnerIds }
    try {
      const isRecorded = await recordDetour(pool, lease, detour)
      if (next.over) return // stopped meanwhile
      if (isRecorded) return queue.push(next)
      switchboard.remove(next)
      next.drop()
      settle()
    } catch (error) {
      log.error({ error, attemptId: attempt.id }, 'a call could not go on over another trunk')
      next.giveBack('it could not go on over another trunk')
    }
  }
}

/** Nothing rang, and it was the trunk's or its operator's doing. An agent who is called first has been asked for this call. */
function isFaultBeforeRinging(call: Call, end: CallEnd, classified: Classification | null): boolean {
  return !call.plan.flow.connect && isTrunksFault(call, end, classified)
}

function isTrunksFault({ carried, cancelled }: Call, end: CallEnd, classified: Classification | null): boolean {
  if (classified?.disposition !== 'CONGESTION' || end.fromRecord || end.refused?.outcome === 'error') return false
  return !carried && !cancelled && !end.leg?.alerted
}
