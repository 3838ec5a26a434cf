import { mayTryNextHost } from '../../../lib/trunk-limits.ts'
import { callNowOutcome } from './call-now.ts'
import type { CallEnd } from '../call/call-ports.ts'
import type { Call } from '../call/call.ts'
import type { Classification, DispositionRule } from '../../model/calls/disposition.ts'
import { outcomeOf } from './outcome.ts'
import type { Ended } from '../../settle/writer-of-dialer.ts'

/** What becomes of a call whose legs are over. */
export type Next =
  /** It goes on over another host of its trunk: one of them did not carry it, which says nothing of the trunk. */
  | { is: 'nextHost'; notHosts: readonly string[] }
  /** The trunk's health says, at once or in time, whether the trunk was at fault whatever the far end said. */
  | { is: 'awaitProof'; classified: Classification }
  /** It goes on over another trunk of its route; the attempt, its money and its number stay as they were claimed. */
  | { is: 'nextTrunk'; trunkId: number }
  /** Its attempt is settled, and another dialer of its route calls the row at once. */
  | { is: 'yieldToOthers'; outcome: Ended }
  | { is: 'settle'; outcome: Ended }

/** What is known of the call's trunk when it has ended. */
export type TrunkAtEnd = {
  /** How the end counts by the tables of dispositions. Null: nobody knows how it ended. */
  classified: Classification | null
  /** The trunk's own rules of dispositions. */
  rules: readonly DispositionRule[]
  /** Whether another call may begin over the trunk now: the dialer is ours and answers, a channel is free, the breaker lets it. */
  mayCallAgain: boolean
  /** The trunk's health has been asked: was it at fault? Null: not yet. */
  isFault: boolean | null
  /** Another trunk with room that the route has for the number and that the attempt has not tried. Null: none. */
  nextTrunkId: number | null
  /** To how many other dialers in a row the row may be yielded. */
  others: number
  timeScale: number
}

/**
 * Decides what becomes of a call whose legs are over. Asked again with what was learned: after a detour that the database refused (`mayCallAgain`
 * false, `nextTrunkId` null), and once the trunk's health has answered.
 */
export function whatNext(call: Call, end: CallEnd, trunk: TrunkAtEnd): Next {
  const { attempt, plan } = call
  const { classified, isFault } = trunk
  const isTrunksFault = isFaultBeforeRinging(call, end, classified)
  if (isFault === null) {
    const host = end.leg?.failedHost
    // Of a call that another engine dialled nobody knows which hosts it tried. The agent of a Call Now is rung at the next host, too.
    const mayTry = host !== undefined && !call.isAdopted && mayTryNextHost(attempt.notHosts)
    if (mayTry && isTrunksFault && trunk.mayCallAgain) return { is: 'nextHost', notHosts: [...attempt.notHosts, host] }
    if (classified) return { is: 'awaitProof', classified }
  }
  const mayGoOn = isTrunksFault && !plan.flow.connect // an agent who is called first has been asked for this call
  if (mayGoOn && trunk.nextTrunkId !== null) return { is: 'nextTrunk', trunkId: trunk.nextTrunkId }
  const outcome = plan.flow.connect
    ? callNowOutcome(call, end, trunk)
    : outcomeOf(call, end, classified, isFault ?? false, trunk.timeScale)
  const mayReturn = outcome.retryInMs !== null || plan.isTest
  const yields = attempt.congestions % (trunk.others + 1) !== trunk.others // after that many the row waits, and goes round again
  if (mayGoOn && mayReturn && yields) return { is: 'yieldToOthers', outcome: { ...outcome, retryInMs: 0 } }
  return { is: 'settle', outcome }
}

/** Nothing rang, and it was the trunk's or its operator's doing. */
export function isFaultBeforeRinging(
  { carried, cancelled }: Pick<Call, 'carried' | 'cancelled'>,
  end: CallEnd,
  classified: Classification | null,
): boolean {
  if (classified?.disposition !== 'CONGESTION' || end.fromRecord || end.refused?.outcome === 'error') return false
  return !carried && !cancelled && !end.leg?.alerted
}
