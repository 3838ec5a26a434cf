import { idKey, type LateAnswer, type Submitted } from '../drivers/sms/driver.ts'
import type { ClaimedMessage } from './claim.sql.ts'
import type { SmsOutcome } from './settle.sql.ts'
import type { SmsLate } from './late.sql.ts'
import { words } from './words.ts'

/** So often gateways may be at fault for one row: then it failed. */
const faultsMax = 6
const throttledMs = 1000
const faultMs = 2000
const reasonMax = 300

const nothing = { accepted: 0, retryInMs: 0, isFault: false, answered: false, code: null, reason: null, idKeys: [] }

type Way = { timeScale: number; probe: boolean }

/** What a submission's end means for its row. Only what left no trace at the gateway goes back. */
export function outcomeOf(
  message: Pick<ClaimedMessage, 'id' | 'faults'>,
  end: Submitted,
  { timeScale, probe }: Way,
): SmsOutcome {
  const one = { ...nothing, smsId: message.id }
  switch (end.kind) {
    case 'accepted':
      return { ...one, kind: 'accepted', idKeys: end.ids.map(idKey) }
    case 'throttled':
      return { ...one, kind: 'back', retryInMs: Math.round(throttledMs * timeScale) }
    case 'unsent':
      return { ...one, kind: 'back', retryInMs: Math.round(throttledMs * timeScale) }
    case 'unknown':
      return {
        ...one,
        kind: 'unknown',
        accepted: end.ids.length,
        answered: end.answered,
        reason: told(end.reason),
        idKeys: end.ids.map(idKey),
      }
    case 'refused':
      return refused(message, end, { timeScale, probe })
  }
}

/** The gateway that a probe goes to is known to be at fault: that is not counted for the row, which waits until it works again. */
function refused(
  message: Pick<ClaimedMessage, 'id' | 'faults'>,
  end: Extract<Submitted, { kind: 'refused' }>,
  { timeScale, probe }: Way,
): SmsOutcome {
  const one = { ...nothing, smsId: message.id, code: told(end.code), reason: told(end.reason) }
  const mayGoBack = end.whose === 'gateway' && end.ids.length === 0 && (probe || message.faults + 1 < faultsMax)
  const retryInMs = Math.round(faultMs * 2 ** message.faults * timeScale)
  if (mayGoBack) return { ...one, kind: 'back', isFault: !probe, retryInMs }
  return {
    ...one,
    kind: 'refused',
    accepted: end.ids.length,
    isFault: end.whose === 'gateway',
    idKeys: end.ids.map(idKey),
  }
}

/** What is known of an unknown message after all. */
export function lateOf(smsId: number, { ids, certain, refused: reason }: LateAnswer): SmsLate {
  return { smsId, idKeys: ids.map(idKey), certain, reason: reason === null ? null : told(reason) }
}

/** It was in flight when the engine that sent it ended: whether it left nobody knows. */
export function cutOff(smsId: number): SmsOutcome {
  return { ...nothing, smsId, kind: 'unknown', reason: words.cutOff }
}

/** It was claimed, and never handed to the gateway. */
export function neverSent(smsId: number): SmsOutcome {
  return { ...nothing, smsId, kind: 'back' }
}

/** The end of an unknown one: the segments that are charged for. */
export function settled(smsId: number, accepted: number): SmsOutcome {
  return { ...nothing, smsId, kind: 'settled', accepted, reason: null }
}

/** As the database takes it. */
function told(text: string): string {
  return text.replaceAll('\0', '').slice(0, reasonMax).toWellFormed()
}
