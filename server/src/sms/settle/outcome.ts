import { idKey, type LateAnswer, type Submitted } from '../../drivers/sms/driver.ts'
import type { ClaimedMessage } from '../model/claim.sql.ts'
import type { SmsOutcome } from './settle.sql.ts'
import type { SmsLate } from './late.sql.ts'
import { words } from '../model/words.ts'

/** After this many gateway faults the row has failed. */
const faultsMax = 6
const throttledMs = 1000
const faultMs = 2000
const reasonMax = 300

const nothing = { accepted: 0, retryInMs: 0, isFault: false, answered: false, code: null, reason: null, idKeys: [] }

type Way = { timeScale: number; probe: boolean }

/** What the end of a submission means for its row. Only what left no trace at the gateway is sent again. */
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
        reason: storable(end.reason),
        idKeys: end.ids.map(idKey),
      }
    case 'refused':
      return refused(message, end, { timeScale, probe })
  }
}

/** A probe goes to a gateway known to be at fault, so its failure does not count against the row, which waits until the gateway works. */
function refused(
  message: Pick<ClaimedMessage, 'id' | 'faults'>,
  end: Extract<Submitted, { kind: 'refused' }>,
  { timeScale, probe }: Way,
): SmsOutcome {
  const one = { ...nothing, smsId: message.id, code: storable(end.code), reason: storable(end.reason) }
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

/** What became known of an unknown message after all. */
export function lateOf(smsId: number, { ids, certain, refused: reason }: LateAnswer): SmsLate {
  return { smsId, idKeys: ids.map(idKey), certain, reason: reason === null ? null : storable(reason) }
}

/** It was in flight when its engine ended, so nobody knows whether it was sent. */
export function cutOff(smsId: number): SmsOutcome {
  return { ...nothing, smsId, kind: 'unknown', reason: words.cutOff }
}

/** It was claimed but never handed to the gateway. */
export function neverSent(smsId: number): SmsOutcome {
  return { ...nothing, smsId, kind: 'back' }
}

/** The end of an unknown message: how many segments are charged. */
export function settled(smsId: number, accepted: number): SmsOutcome {
  return { ...nothing, smsId, kind: 'settled', accepted, reason: null }
}

/** In a form that the database accepts. */
function storable(text: string): string {
  return text.replaceAll('\0', '').slice(0, reasonMax).toWellFormed()
}
