import { bareNumber, dialable, nationalOf, whyNotDialable, withoutSeparators } from './phone.ts'

/** Caller IDs that operators give out besides ordinary numbers: short codes like 1414, toll-free numbers like 1660-01-23456. */
const ofOperators = /^(?:\d{3,6}|1660\d{7})$/

/** A caller ID as it is stored and shown to the callee: national digits. Null when it is none; `whyNoCallerId` says why. */
export function callerIdOf(written: string): string | null {
  const phone = dialable(written)
  if (phone) return nationalOf(phone.e164)
  const digits = bareNumber(written)
  return ofOperators.test(digits) ? digits : null
}

/** Continues a sentence that begins with the number. */
export function whyNoCallerId(written: string): string {
  return whyNotDialable(written)
}

/** The digits to search for, with each form in which a stored number may begin with them; null when `search` is not a number. */
export function searchedDigits(search: string): { begins: string[]; ends: string } | null {
  const ends = withoutSeparators(search).replace(/^\+/, '')
  if (!/^\d+$/.test(ends)) return null
  const national = ends.replace(/^(?:00)?977(?=\d)/, '')
  return { begins: [...new Set([ends, national, `0${national}`])], ends: national }
}
