import type { HookState } from '@ghanti/contract/hooks.ts'
import type { AddressAnswer } from '../../drivers/addresses/driver.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export const urlPurpose = 'hook.url'
export const secretPurpose = 'hook.secret'
/** How long the secret before signs as well. */
export const rotatingMs = dayMs
/** How long deliveries and events are kept. */
export const keptMs = 7 * dayMs
export const bodyBytesMax = 256 * 1024
/** How many deliveries one request puts back at most. */
export const replayedMax = 1000

/** Waits after the nth try that failed. After the last there is none. */
const waitsMs = [5000, 5 * minuteMs, 30 * minuteMs, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs)]
export const triesMax = waitsMs.length + 1
const retryAfterMaxMs = dayMs

const restsAfter = 5
/** Nothing arrived for so long: the hook is off. */
const offAfterMs = 3 * dayMs

/** Translated in contract/src/nepali/hooks.ts. */
export const words = {
  plain: 'must begin with https://',
  noAddress: 'has no address: its events are read by a program',
  tooMany: (max: number) => `would be the ${max + 1}th webhook: an account has ${max} at most. Delete one first`,
  deleted: 'is deleted: its campaign was deleted',
  oneOf: 'must be deliveryId or failedSince, one of both',
  answered: (status: number) => `it answered ${status}`,
  redirected: (status: number) => `it answered ${status} with another address, which is not followed`,
  gone: 'it answered 410: it wants no more',
  slow: (seconds: number) => `it did not answer in ${seconds} s`,
  cut: 'the connection was lost before it answered',
  unreachable: (why: string) => `it cannot be reached: ${why}`,
  forbidden: 'its address is private, or this server’s own, which the operator has not allowed',
  notAllowed: 'the operator does not allow this host any more',
  unreadable: 'its address cannot be read any more: enter it again',
  nothingArrived: 'nothing arrived there for three days',
} as const

type Ended = { state: 'delivered'; status: number } | Failed
export type Failed = {
  state: 'failed'
  status: number | null
  reason: string
  retryAfterMs: number | null
  isGone: boolean
}

const failed = (reason: string, status: number | null = null): Failed => ({
  state: 'failed',
  status,
  reason,
  retryAfterMs: null,
  isGone: false,
})
export const notSent = failed

/** What one try came to. */
export function endOf(answer: AddressAnswer, now: Date, answerMs: number): Ended {
  if (answer.kind === 'lost') return failed(answer.slow ? words.slow(answerMs / 1000) : words.cut)
  if (answer.kind === 'unreached') return failed(answer.forbidden ? words.forbidden : words.unreachable(answer.why))
  const { status, retryAfter } = answer
  if (status >= 200 && status < 300) return { state: 'delivered', status }
  if (status === 410) return { ...failed(words.gone, status), isGone: true }
  if (status >= 300 && status < 400) return failed(words.redirected(status), status)
  return { ...failed(words.answered(status), status), retryAfterMs: retryAfterMs(retryAfter, now) }
}

/** Seconds or a date, a day at most; null: it says nothing that can be obeyed. */
function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return wait > 0 ? Math.min(wait, retryAfterMaxMs) : null
}

/**
 * How long until the next try, the `tries`th having failed; null: there is none. `chance`, from 0 to 1, spreads what failed together by a tenth
 * in both directions. A receiver may ask for a longer wait, not for a shorter one.
 */
export function waitAfter(tries: number, chance: number, askedMs: number | null): number | null {
  const wait = waitsMs[tries - 1]
  return wait === undefined ? null : Math.max(wait * (0.9 + 0.2 * chance), askedMs ?? 0)
}

type Standing = { failures: number; failingSince: Date | null }
type Changed = {
  failures: number
  failingSince: Date | null
  restMs: number | null
  off: string | null
}

/** What one more failure makes of the hook. */
export function afterFailure({ failures, failingSince }: Standing, { reason, isGone }: Failed, now: Date): Changed {
  const since = failingSince ?? now
  const inRow = failures + 1
  const isOver = now.getTime() - since.getTime() >= offAfterMs
  const rest = Math.min(10 * minuteMs, 30_000 * 2 ** (inRow - restsAfter))
  return {
    failures: inRow,
    failingSince: since,
    restMs: inRow >= restsAfter ? rest : null,
    off: isGone ? reason : isOver ? words.nothingArrived : null,
  }
}

export function stateShown({ state, isPaused }: { state: Exclude<HookState, 'paused'>; isPaused: boolean }): HookState {
  return isPaused ? 'paused' : state
}

/** The `webhook-id`. It has no full stop, which would divide what is signed. */
export const eventIdOf = (key: string): string => `evt_${key.replaceAll('-', '')}`
