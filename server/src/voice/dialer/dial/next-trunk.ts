import type { Call } from '../call/call.ts'
import { nextTrunk } from '../../../dispatch/turns/route-step.ts'
import { stepsOf } from '../../model/campaigns/route.ts'
import type { DialerTrunks } from '../trunks/state/trunks.ts'
import type { DialQueue } from './dial-queue.ts'
import type { YieldedRows } from './yielded-rows.ts'

/** The next trunk must have room within this time, as the calls of a claim must. */
const roomWithinMs = 250

/** A trunk with room that the route has for the number and that the attempt has not tried. Null: none. */
export function nextTrunkOf(
  { attempt }: Pick<Call, 'attempt'>,
  campaign: ReturnType<YieldedRows['routeOf']>,
  trunks: DialerTrunks,
  queue: DialQueue,
): number | null {
  if (!campaign) return null
  const untried = stepsOf(campaign, campaign.streams ? attempt.stream : null).filter(
    ({ trunkId }) =>
      trunkId !== attempt.cli.trunkId &&
      !attempt.tried.includes(trunkId) &&
      trunks.clis.mayShow(trunkId, attempt.cli.number) &&
      trunks.legFree(trunkId),
  )
  if (untried.length === 0) return null
  const room = trunks.room([], queue.byTrunk, roomWithinMs)
  if (Math.min(room.dialer, queue.room(trunks.begunLately(null))) <= 0) return null
  const next = nextTrunk(untried, {
    room: (trunkId) => room.trunks.get(trunkId) ?? 0,
    inUse: (trunkId) => room.inUse.get(trunkId) ?? 0,
  })
  return next ?? null
}
