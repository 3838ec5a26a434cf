import { rupeesText } from '@ghanti/contract/money.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'

/** Why calls do not start: shown on a waiting campaign, and in the review before it is sent. */
export const startWords = {
  outsideHours: (opensAt: Date | null, now: Date) =>
    opensAt
      ? `outside calling hours, dials from ${clockOf(opensAt, now)}`
      : 'outside calling hours: no calling day is set within a year',
  blocked: (what: string, reason: string) => `all dialling ${what} is stopped by the administrator: ${reason}`,
  dialerDown: (name: string, reason: string) => `dialer ${name} does not answer: ${reason}`,
  trunkOnHold: (name: string, reason: string, probeAt: Date, now: Date) =>
    `trunk ${name} is on hold: ${reason}; ${triedAgain(probeAt, now)}`,
  trunkUnusable: (name: string, why: string) => `trunk ${name} cannot be used: ${why}`,
  lowBalance: (reservePaisa: number, freePaisa: number) =>
    `one call may cost Rs ${rupeesText(reservePaisa)}, you have Rs ${rupeesText(freePaisa)}`,
  accountsBusy: 'all channels of the account are busy',
  noRate: (whose: string) => `${whose} is set to no calls`,
}

export const stopWords: Readonly<Record<'calls' | 'messages' | 'all', (what: string, reason: string) => string>> = {
  calls: startWords.blocked,
  messages: (what, reason) => `all messages ${what} are stopped by the administrator: ${reason}`,
  all: (what, reason) => `all dialling and messages ${what} are stopped by the administrator: ${reason}`,
}

/** Once the time has come, the next call or check retries, so no past time is shown. */
export function triedAgain(at: Date, now: Date): string {
  return at > now ? `it will be tried again at ${clockOf(at, now)}` : 'it will be tried again as soon as it can be'
}

/** 'HH:mm', with seconds when it is soon, with the date when it is not today. */
export function clockOf(at: Date, now: Date): string {
  const text = nepalTimeOf(at)
  if (text.slice(0, 10) !== nepalTimeOf(now).slice(0, 10)) return text.slice(0, 16)
  return at.getTime() - now.getTime() < 60_000 && text.slice(17) !== '00' ? text.slice(11) : text.slice(11, 16)
}
