import type { HungUp } from '../../../../drivers/telephony/driver.ts'
import { classify, type DispositionRule } from '../../../model/calls/disposition.ts'

export const testWords = {
  gone: 'the trunk was removed',
  dialerDown: (reason: string | null) =>
    reason === null ? 'the engine is about to release the dialer, try again' : `the dialer does not answer: ${reason}`,
  letGo: 'the engine released the dialer while it ran',
  noChannel: 'all channels of the trunk or its dialer are busy',
  numberBusy: 'another call to this number is under way, try again when it is over',
  noTurn: 'all calls per second of the trunk or its dialer are used up',
  reachable: (roundTripMs: number | null) =>
    roundTripMs === null ? 'it answers' : `it answers after ${Math.max(1, Math.round(roundTripMs))} ms`,
  unreachable: (reason: string) => `it does not answer: ${reason}`,
  ringing: 'it rings',
  answered: 'somebody answered',
  spoke: (rangMs: number, spokeMs: number) => `answered after ${seconds(rangMs)} s, lasted ${seconds(spokeMs)} s`,
  busy: (cause: string) => `the trunk carried the call, the number is busy (${cause})`,
  noAnswer: (cause: string) => `the trunk carried the call, nobody answered (${cause})`,
  invalid: (cause: string) => `the operator does not know the number (${cause})`,
  rejected: (cause: string) => `the call was refused (${cause})`,
  failed: (cause: string) => `the call failed: ${cause}`,
  unknown: 'nobody reported how the call ended',
}

function seconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(1)
}

export type TestResult = { passed: boolean; result: string }

/** What a test call proves of its trunk. A busy number and an unanswered telephone were reached, too. */
export function testResultOf(leg: HungUp | null, rules: readonly DispositionRule[]): TestResult {
  if (!leg) return { passed: false, result: testWords.unknown }
  const { disposition } = classify(leg, rules)
  const cause = causeOf(leg)
  switch (disposition) {
    case 'ANSWER': {
      const answeredAt = leg.answeredAt ?? leg.at
      return { passed: true, result: testWords.spoke(answeredAt - leg.startedAt, leg.at - answeredAt) }
    }
    case 'BUSY':
      return { passed: true, result: testWords.busy(cause) }
    case 'NO ANSWER':
      return { passed: true, result: testWords.noAnswer(cause) }
    case 'INVALID':
      return { passed: false, result: testWords.invalid(cause) }
    case 'REJECTED':
      return { passed: false, result: testWords.rejected(cause) }
    case 'CANCEL':
    case 'CONGESTION':
    case 'FAILED':
    case 'LOST':
      return { passed: false, result: testWords.failed(cause) }
  }
}

function causeOf(leg: HungUp): string {
  if (leg.sipStatus !== null) return `SIP ${leg.sipStatus}`
  if (leg.endedBy === 'ringTimeout') return leg.alerted ? 'the ringing time is over' : 'nothing was heard of the call'
  return leg.cause === null ? 'no cause was given' : `cause ${leg.cause}`
}
