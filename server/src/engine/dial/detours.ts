import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { CallEnd, CallPorts } from '../call/call-ports.ts'
import { Call } from '../call/call.ts'
import { cliOfTrunk } from '../call/plan.ts'
import { carrying, othersFor } from '../schedule/shared/sharing.ts'
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
/** For this long, rows that are left to other dialers are not claimed here again. */
const leavesQueueMs = 1000
/** A row that no dialer can carry is left to the next one so often at most, of the six times that congestion may put it off. */
const leftMax = 3
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

/**
 * Calls that go on over the next trunk of their route, because theirs was at fault before anything rang. The attempt, its money, its number and
 * its row stay as they were claimed; only trunk and channel are others.
 */
export class Detours {
  readonly #of: DetourOptions
  /** By their ids: those that have a route, as the last tick found them. */
  #campaigns: ReadonlyMap<number, Pick<CampaignRow, 'trunk_id' | 'route' | 'streams' | 'others'>> = new Map()
  /** By cursor, when a row of it was last left to other dialers. Monotonic. */
  readonly #leftAt = new Map<number, number>()

  constructor(of: DetourOptions) {
    this.#of = of
  }

  routesAre(campaigns: readonly CampaignRow[]): void {
    this.#campaigns = new Map(campaigns.flatMap((one) => (one.route ? [[one.id, one] as const] : [])))
    for (const [id, at] of this.#leftAt) if (performance.now() - at >= leavesQueueMs) this.#leftAt.delete(id)
  }

  /**
   * True: the call that ended goes on over another trunk, and nothing is settled; should it not be able to after all, `settle` is called. False:
   * it cannot.
   */
  take(call: Call, end: CallEnd, classified: Classification | null, settle: () => void): boolean {
    if (!isFaultBeforeRinging(call, end, classified) || !this.#of.mayDial()) return false
    const trunkId = this.#nextOf(call)
    if (trunkId === undefined) return false
    const { attempt, plan } = call
    const tried = [...attempt.tried, attempt.cli.trunkId]
    const next = new Call(
      {
        ...attempt,
        tried,
        channelId: detourChannel(attempt.channelId, tried.length),
        cli: cliOfTrunk(attempt.cli.id, attempt.cli.number, trunkId),
      },
      plan,
      this.#of.ports(),
    )
    this.#of.switchboard.add(next) // from here on its channel is taken
    void this.#begin(next, attempt.cli.trunkId, settle)
    return true
  }

  /**
   * Whether the row of the call, which no trunk of this dialer carried, goes on over another dialer of its route at once: it is due again as soon as the
   * attempt is settled, and for a second only the others claim rows that wait. As often as there are others; then it waits as after any congestion.
   */
  leavesToOthers(call: Call, end: CallEnd, classified: Classification | null): boolean {
    const campaign = this.#campaigns.get(call.plan.campaignId)
    if (!campaign) return false
    const stream = campaign.streams ? call.attempt.stream : null
    const others = carrying(othersFor(campaign.others, stream)).length
    if (call.attempt.congestions >= Math.min(others, leftMax)) return false
    if (!isFaultBeforeRinging(call, end, classified)) return false
    this.#leftAt.set(cursorIdOf(call.plan.campaignId, stream ?? 0), performance.now())
    return true
  }

  /** Rows that wait, as some that were just left to other dialers, are not for this one. */
  leavesQueueOf(campaignId: number, stream: number | null): boolean {
    return performance.now() - (this.#leftAt.get(cursorIdOf(campaignId, stream ?? 0)) ?? -Infinity) < leavesQueueMs
  }

  /** A trunk with room, of those that its route has for its number, that it did not try. */
  #nextOf({ attempt, plan }: Call): number | undefined {
    const { trunks, queue, writer } = this.#of
    const campaign = this.#campaigns.get(plan.campaignId)
    if (!campaign || writer.waiting > waitingMax) return undefined
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
function isFaultBeforeRinging(
  { carried, cancelled, plan }: Call,
  end: CallEnd,
  classified: Classification | null,
): boolean {
  if (classified?.disposition !== 'CONGESTION' || end.fromRecord || end.refused?.outcome === 'error') return false
  return !carried && !cancelled && !plan.flow.connect && !end.leg?.alerted
}
