import { faultOf } from '../../../lib/trunk-failure.ts'
import type { CallEnd } from '../call/call-ports.ts'
import type { Call } from '../call/call.ts'
import {
  classify,
  trunkRefusedDial,
  usesAttempt,
  type DispositionRule,
  type Classification,
} from '../../model/calls/disposition.ts'
import type { Outcome } from '../../settle/settle.sql.ts'
import { retryInMs } from '../../model/calls/retry.ts'
import { talkMsOf } from '../../model/calls/talk.ts'
import type { Ended } from '../../settle/writer-of-dialer.ts'

/** The outcome of a call that nobody knows anything about. */
export const nothingKnown: Omit<Outcome, 'attemptId' | 'disposition'> = {
  startedAt: null,
  answeredAt: null,
  endedAt: null,
  billMs: null,
  patchBillMs: null,
  sipStatus: null,
  q850Cause: null,
  endedBy: null,
  keys: '',
  trail: null,
  agent: null,
  agentMissed: null,
  agentCounts: true,
  recordingId: null,
  unheard: false,
  alerted: false,
  alertedAt: null,
  retryInMs: null,
}

/** What a call that ended counts as. Null: nobody knows. `carries`: as in `classify`. */
export function classifyCall(
  { leg, refused }: CallEnd,
  rules: readonly DispositionRule[],
  carries = false,
): Classification | null {
  if (leg) return classify(leg, rules, carries)
  switch (refused?.outcome) {
    case undefined:
      return null
    case 'notSent':
      return { disposition: 'CANCEL', sign: 'good', endedBy: 'us' }
    case 'trunkFault':
      return trunkRefusedDial
    case 'error':
      return { disposition: 'CONGESTION', sign: 'fault', endedBy: 'us' }
  }
}

/** The outcome that is settled. `isFault`: the trunk's, whatever the far end said. */
export function outcomeOf(
  call: Call,
  end: CallEnd,
  classified: Classification | null,
  isFault: boolean,
  timeScale: number,
): Ended {
  const { attempt, plan } = call
  const { leg } = end
  const said = classified?.disposition ?? 'LOST'
  // What the dialer's record alone says of ringing is a guess.
  const alerted = call.alertedAt !== null || (leg !== null && leg.alerted && !end.fromRecord)
  const isFree = isFault && !(classified && usesAttempt(classified, alerted))
  const disposition = isFree ? 'CONGESTION' : said
  const billMs = leg && talkMsOf(leg)
  return {
    attemptId: attempt.id,
    campaignId: plan.campaignId,
    disposition,
    startedAt: leg && new Date(leg.startedAt),
    answeredAt: leg && leg.answeredAt !== null ? new Date(leg.answeredAt) : null,
    endedAt: leg && new Date(leg.at),
    billMs,
    patchBillMs: billMs === null ? null : end.patchBillMs && Math.round(end.patchBillMs),
    sipStatus: leg?.sipStatus ?? null,
    q850Cause: leg?.cause ?? null,
    endedBy: classified?.endedBy ?? null,
    keys: end.keys,
    trail: billMs === null ? null : end.trail,
    agent: end.agent,
    agentMissed: end.patchBillMs === null ? end.agentMissed : null,
    agentCounts: end.agentCounts,
    recordingId: end.recordingId,
    alerted: leg !== null && leg.alerted && disposition !== 'CONGESTION',
    alertedAt: call.alertedAt === null ? null : new Date(call.alertedAt),
    unheard: billMs !== null && end.unheard,
    retryInMs: plan.isTest
      ? retryOfTest(end)
      : retryInMs({ ...attempt, disposition }, { retries: plan.retries, retryMs: plan.retryMs, timeScale }),
  }
}

/** The same call as if it had ended by `now`. Its lengths stay. */
export function endedBy<T extends Pick<Outcome, 'startedAt' | 'answeredAt' | 'endedAt' | 'alertedAt'>>(
  call: T,
  now: Date,
): T {
  const { startedAt, answeredAt, endedAt, alertedAt } = call
  const aheadMs = endedAt === null ? 0 : endedAt.getTime() - now.getTime()
  if (aheadMs <= 0) return call
  const earlier = (at: Date | null): Date | null => at && new Date(at.getTime() - aheadMs)
  return {
    ...call,
    startedAt: earlier(startedAt),
    answeredAt: earlier(answeredAt),
    endedAt: earlier(endedAt),
    alertedAt: earlier(alertedAt),
  }
}

/** Somebody waits at the telephone, so what a test call met is final, unless it never left. */
function retryOfTest({ refused }: CallEnd): number | null {
  return refused?.outcome === 'notSent' ? 0 : null
}

/** The reason that the far end gave, or our own. */
export function causeOf({ leg, refused }: Pick<CallEnd, 'leg' | 'refused'>): string {
  if (refused) return refused.reason
  const fault = leg && faultOf(leg)
  if (fault) return fault
  if (leg?.sipStatus) return `SIP ${leg.sipStatus}`
  return leg?.cause ? `cause ${leg.cause}` : 'no cause was given'
}
