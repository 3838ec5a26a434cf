import type { CallEnd } from '../call/call-ports.ts'
import type { Call } from '../call/call.ts'
import type { TrunkHealthTracker } from '../trunks/health/trunk-health.ts'
import type { DialerTrunks } from '../trunks/state/trunks.ts'
import { callNowOutcome } from '../call/call-now.ts'
import { classifyCall, endedBy, outcomeOf } from '../settle/outcome.ts'
import type { Detours } from '../dial/detours.ts'
import type { Switchboard } from '../dial/switchboard.ts'
import type { InvariantMonitor } from '../invariants/monitor.ts'
import type { SymptomCounter } from '../trace/symptom-counter.ts'
import type { Writer } from '../settle/writer.ts'

type CallEndedParts = {
  switchboard: Switchboard
  trunks: DialerTrunks
  writer: Writer
  monitor: InvariantMonitor
  symptoms: SymptomCounter
  health: TrunkHealthTracker
  detours: Detours
  timeScale: number
  /** Null: the dialer's times are in the past. */
  now: Date | null
}

/**
 * Handles a call whose legs are both over. It goes on over the next host of its trunk or the next trunk of its route; otherwise this decides its
 * disposition, when its row may be dialled again, and what the call says about the trunk.
 */
export function callEnded(of: CallEndedParts, call: Call, end: CallEnd): void {
  const { switchboard, trunks, writer, monitor, symptoms, health, detours, timeScale, now } = of
  switchboard.remove(call)
  const rules = trunks.rulesOf(call.attempt.cli.trunkId)
  const classified = classifyCall(end, rules, health.refusals.isProven(call.attempt.cli.trunkId))
  const settle = (isFault: boolean): void => {
    const settleNow = (): void => {
      const outcome = call.plan.flow.connect
        ? callNowOutcome(call, end, { classified, isFault, rules })
        : outcomeOf(call, end, classified, isFault, timeScale)
      const mayGoOn = outcome.retryInMs !== null || call.plan.isTest
      if (mayGoOn && detours.leavesToOthers(call, end, classified)) outcome.retryInMs = 0
      writer.settle(now ? endedBy(outcome, now) : outcome)
      monitor.ended(call, outcome, end.reservedPaisa)
    }
    if (!detours.take(call, end, classified, settleNow)) settleNow()
  }
  const classify = (): void => {
    if (classified) health.ended(call, end, classified, settle)
    else settle(false)
  }
  monitor.hungUp(call)
  symptoms.ended(call, end)
  if (!detours.takeHost(call, end, classified, classify)) classify()
}
