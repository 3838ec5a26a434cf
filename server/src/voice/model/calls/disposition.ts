import type { Disposition } from '@ghanti/contract/campaign-status.ts'
import type { CallEnder } from '../../../db/tables.ts'
import type { EndedBy, HungUp } from '../../../drivers/telephony/driver.ts'
import { silentCause } from '../../../lib/trunk-limits.ts'

/**
 * What the end of a call says about its trunk.
 * - `congested`: its operator has no room for the call now.
 * - `fault`: it did not carry the call.
 * - `broken`: no call passes until somebody mends it (a wrong password, an unreachable peer).
 * - `refusal`: the callee or the operator refused; too many refusals are a fault.
 */
export type TrunkSign = 'good' | 'congested' | 'fault' | 'broken' | 'refusal'

/** A status or cause is one number, or a range from..to. */
type Numbers = readonly (number | readonly [from: number, to: number])[]
export type DispositionRule = {
  sip: Numbers
  q850: Numbers
  /** The cause must fit as well as the status; otherwise it counts only where there is no status. */
  isBoth?: boolean
  disposition: Disposition
  sign: TrunkSign
}

/**
 * docs/design.md#dispositions. The SIP status decides; where there is none, the Q.850 cause. The first rule that matches counts; without a
 * match it is FAILED.
 */
const dispositionRules: readonly DispositionRule[] = [
  { sip: [486, 600], q850: [17], disposition: 'BUSY', sign: 'good' },
  { sip: [480, 408], q850: [18, 102, 19, 20, 16], disposition: 'NO ANSWER', sign: 'good' },
  { sip: [404, 410, 484, 604], q850: [1, 22, 28], disposition: 'INVALID', sign: 'good' },
  { sip: [403, 603, 607, 608], q850: [21], disposition: 'REJECTED', sign: 'refusal' },
  { sip: [401, 407], q850: [], disposition: 'CONGESTION', sign: 'broken' },
  { sip: [[300, 399]], q850: [23], disposition: 'FAILED', sign: 'refusal' }, // only numbers that the customer named are called
  { sip: [503], q850: [34, 42], disposition: 'CONGESTION', sign: 'congested' },
  { sip: [488, [500, 599]], q850: [3, 38, 41, 47, 58, 88], disposition: 'CONGESTION', sign: 'fault' },
]

/** For a call that never alerted, where no other rule says more: the operator did not get as far as the called person. */
const operatorsRule: DispositionRule = { sip: [[400, 499], 606], q850: [], disposition: 'CONGESTION', sign: 'fault' }

/** For a call that never alerted: a silent operator and a SIP timer of the dialer's own look the same. */
const silenceRule: DispositionRule = { sip: [408], q850: [18, 102], disposition: 'CONGESTION', sign: 'fault' }

const unknownEnd: Pick<DispositionRule, 'disposition' | 'sign'> = { disposition: 'FAILED', sign: 'good' }

/** What the tables above make of a call that ended. `endedBy`: who ended it. */
export type Classification = { disposition: Disposition; sign: TrunkSign; endedBy: CallEnder }

/** Whether somebody's telephone took notice, as counts_for_day of the database says: what came to nothing on the way does not count. */
function countsForDay(disposition: Disposition, alerted: boolean): boolean {
  return alerted || ['ANSWER', 'NO ANSWER', 'BUSY', 'REJECTED', 'LOST'].includes(disposition)
}

/** A shorter talk with an agent counts like a call that was not answered, so that nobody's telephone is rung without end. */
const talkMsMin = 10_000

/** Whether an agent's leg is one of its number's calls of the day. `talkMs`: for how long both sides stayed. */
export function agentLegCounts({ disposition }: Classification, alerted: boolean, talkMs: number): boolean {
  return talkMs < talkMsMin && countsForDay(disposition, alerted)
}

/**
 * How a leg that hung up ended. `trunkRules` are the trunk's own rows, which come before the table. `carries`: calls have rung over the trunk since there
 * was last a reason to doubt it. Somebody whose telephone rang, or who heard an announcement, has been called, whatever the end says of the trunk: such a
 * call is never CONGESTION, after which the row would be dialled again without using up an attempt (ADR 76).
 */
export function classify(
  leg: Pick<HungUp, 'endedBy' | 'answeredAt' | 'sipStatus' | 'cause' | 'alerted'>,
  trunkRules: readonly DispositionRule[] = [],
  carries = false,
): Classification {
  const endedBy = enderOf[leg.endedBy]
  if (leg.answeredAt !== null) return { disposition: 'ANSWER', sign: 'good', endedBy }
  switch (leg.endedBy) {
    case 'hangUp':
      return { disposition: 'CANCEL', sign: 'good', endedBy }
    case 'ringTimeout':
    case 'timeLimit': // of a trunk that carries no calls, nothing proved that a telephone rang
      if (leg.alerted) return { disposition: 'NO ANSWER', sign: 'good', endedBy }
      return { disposition: carries && leg.cause !== silentCause ? 'NO ANSWER' : 'CONGESTION', sign: 'fault', endedBy }
    case 'callee':
    case 'network': {
      const [first, last] = leg.alerted ? [[], []] : [[silenceRule], [operatorsRule]]
      const rules = [...trunkRules, ...first, ...dispositionRules, ...last]
      const { disposition, sign } = rules.find((rule) => matches(rule, leg.sipStatus, leg.cause)) ?? unknownEnd
      return { disposition: leg.alerted && disposition === 'CONGESTION' ? 'NO ANSWER' : disposition, sign, endedBy }
    }
  }
}

/** Whether a call with this disposition uses up an attempt of its row although its trunk is at fault. `alerted`: somebody saw it ring. */
export function usesAttempt({ disposition, sign }: Classification, alerted: boolean): boolean {
  return alerted || disposition === 'ANSWER' || (disposition === 'NO ANSWER' && sign === 'fault')
}

/** Whether a Q.850 cause alone says that the operator did not carry the call. */
export function isCongestion(cause: number | null): boolean {
  return dispositionRules.find((rule) => within(rule.q850, cause))?.disposition === 'CONGESTION'
}

/** The host that did not carry the leg, before anything rang, while its trunk has another. Null: no other host may be called. */
export function failedHost(leg: HungUp, trunkRules: readonly DispositionRule[]): string | null {
  if (leg.failedHost === undefined || leg.alerted) return null
  return classify(leg, trunkRules).disposition === 'CONGESTION' ? leg.failedHost : null
}

/** The dialer refused a call at once: its trunk is unknown or unreachable. */
export const trunkRefusedDial: Classification = { disposition: 'CONGESTION', sign: 'broken', endedBy: 'us' }

const enderOf: Record<EndedBy, CallEnder> = {
  callee: 'customer',
  network: 'network',
  hangUp: 'us',
  ringTimeout: 'us',
  timeLimit: 'us',
}

function matches(rule: DispositionRule, sipStatus: number | null, cause: number | null): boolean {
  if (rule.isBoth) return within(rule.sip, sipStatus) && within(rule.q850, cause)
  return sipStatus === null ? within(rule.q850, cause) : within(rule.sip, sipStatus)
}

function within(numbers: Numbers, value: number | null): boolean {
  return value !== null && numbers.some((n) => (typeof n === 'number' ? n === value : n[0] <= value && value <= n[1]))
}
