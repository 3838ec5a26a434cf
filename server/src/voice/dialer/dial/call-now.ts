import type { Disposition } from '@ghanti/contract/campaign-status.ts'
import type { HungUp } from '../../../drivers/telephony/driver.ts'
import type { CallEnd } from '../call/call-ports.ts'
import type { Call } from '../call/call.ts'
import type { TrunkAtEnd } from './what-next.ts'
import { agentLegCounts, classify } from '../../model/calls/disposition.ts'
import { nothingKnown } from './outcome.ts'
import { talkMsOf } from '../../model/calls/talk.ts'
import type { Ended } from '../../settle/writer-of-dialer.ts'

/**
 * The outcome of a Call Now. The attempt is the customer's: its times, length and disposition are those of the customer's leg, which is the
 * call's second. The agent's answered leg is charged even when the customer was not reached. The outcome is final: only a call that never left
 * may be claimed again.
 */
export function callNowOutcome(
  call: Call,
  end: CallEnd,
  trunk: Pick<TrunkAtEnd, 'classified' | 'isFault' | 'rules'>,
): Ended {
  const { attempt, plan } = call
  const customer = end.beside === 'unknown' ? null : end.beside
  const shown = customer ?? end.leg
  const { disposition, endedBy, agentMissed } = outcomeOf(end, customer, trunk)
  return {
    ...nothingKnown,
    attemptId: attempt.id,
    campaignId: plan.campaignId,
    disposition,
    startedAt: shown && new Date(shown.startedAt),
    answeredAt: customer?.answeredAt ? new Date(customer.answeredAt) : null,
    endedAt: shown && new Date(shown.at),
    billMs: customer && talkMsOf(customer),
    patchBillMs: end.leg && talkMsOf(end.leg),
    sipStatus: shown?.sipStatus ?? null,
    q850Cause: shown?.cause ?? null,
    endedBy,
    agent: plan.flow.connect?.agent ?? null,
    agentMissed,
    agentCounts: agentCounts(end, trunk),
    recordingId: end.recordingId,
    alerted: customer?.alerted ?? false,
    alertedAt: call.alertedAt === null ? null : new Date(call.alertedAt),
    retryInMs: end.refused?.outcome === 'notSent' && agentMissed === null ? 0 : null,
  }
}

/** The agent's leg is the call's first. */
function agentCounts({ leg, beside }: CallEnd, { classified }: Pick<TrunkAtEnd, 'classified'>): boolean {
  if (!classified) return true
  const since = beside === 'unknown' ? null : (beside?.answeredAt ?? null)
  const talkMs = since === null || beside === 'unknown' || !beside || !leg ? 0 : Math.min(beside.at, leg.at) - since
  return agentLegCounts(classified, leg?.alerted ?? false, talkMs)
}

type CallNowOutcome = Pick<Ended, 'disposition' | 'endedBy' | 'agentMissed'>

function outcomeOf(
  end: CallEnd,
  customer: HungUp | null,
  { classified, isFault, rules }: Pick<TrunkAtEnd, 'classified' | 'isFault' | 'rules'>,
): CallNowOutcome {
  if (customer) {
    const { disposition, endedBy } = classify(customer, rules)
    return { disposition, endedBy, agentMissed: null }
  }
  if (end.beside === 'unknown' || !classified) return { disposition: 'LOST', endedBy: null, agentMissed: null }
  const { endedBy } = classified
  if (classified.disposition === 'ANSWER') return { ...notCalled(end), endedBy }
  if (end.refused?.outcome === 'notSent') return { disposition: 'CANCEL', endedBy, agentMissed: end.agentMissed }
  const isTrunks = isFault || classified.disposition === 'CONGESTION'
  return { disposition: isTrunks ? 'CONGESTION' : 'CANCEL', endedBy, agentMissed: 'notReached' }
}

/** The agent answered but the customer was not rung: no channel or money for the second leg, the dialer refused it, or the agent hung up at once. */
function notCalled({ agentMissed }: CallEnd): { disposition: Disposition; agentMissed: Ended['agentMissed'] } {
  if (agentMissed === 'notReached') return { disposition: 'CONGESTION', agentMissed: null }
  return { disposition: 'CANCEL', agentMissed }
}
