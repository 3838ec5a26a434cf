import { dialable, nationalOf, whyNotDialable, withoutSeparators } from './phone.ts'

/** Caller IDs that operators give besides ordinary numbers: short codes like 1414, toll-free numbers like 1660-01-23456. */
const ofOperators = /^(?:\d{3,6}|1660\d{7})$/

/** A caller ID as it is stored and shown to the callee: national digits. Null: it is none, and `whyNoCallerId` says why. */
export function callerIdOf(written: string): string | null {
  const phone = dialable(written)
  if (phone) return nationalOf(phone.e164)
  const digits = withoutSeparators(written)
  return ofOperators.test(digits) ? digits : null
}

/** Reads on after the number. */
export function whyNoCallerId(written: string): string {
  return whyNotDialable(written)
}

/** Digits to search for, with every way in which a stored number may begin with them. Null: it is not a number. */
export function searchedDigits(search: string): { begins: string[]; ends: string } | null {
  const ends = withoutSeparators(search).replace(/^\+/, '')
  if (!/^\d+$/.test(ends)) return null
  const national = ends.replace(/^(?:00)?977(?=\d)/, '')
  return { begins: [...new Set([ends, national, `0${national}`])], ends: national }
}
