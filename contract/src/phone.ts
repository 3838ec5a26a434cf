/**
 * What is dialable (docs/design.md#dialable-numbers): Nepali mobiles, and landlines as 8 national digits behind a leading 0 or 977. No short codes, premium or foreign numbers.
 */
export type Phone = {
  /** '+9779812345678', '+97715970001'. */
  e164: string
  kind: 'mobile' | 'landline'
}

/**
 * What stands between digits: spaces of all kinds, dashes, dots, brackets, and the invisible marks that are copied along from telephones and
 * spreadsheets.
 */
const between = /[\s\-.()\u00ad\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060-\u2069\u2212]/g
const mobile = /^9(?:6\d|7[0-6]|8\d)\d{7}$/
const landline = /^[1-9]\d{7}$/
const international = /^(?:\+|00)?977(\d{8,10})$/

const marks = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
export function withoutMarks(written: string): string {
  return written.replace(marks, '')
}

export function asciiDigits(text: string): string {
  return text.replace(/[\u0966-\u096f]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
}

/** A number without anything between its digits, which are then ASCII. */
export function withoutSeparators(written: string): string {
  return asciiDigits(written).replace(between, '')
}

/** The number that somebody wrote, or null when it is not dialable. A spreadsheet's 9.84E+09 has lost its digits and gives null. */
export function dialable(written: string): Phone | null {
  if (mobile.test(written)) return { e164: `+977${written}`, kind: 'mobile' }
  const text = withoutSeparators(written)
  if (!/^\+?\d+$/.test(text)) return null
  const abroad = international.exec(text)
  if (text.startsWith('+') && !abroad) return null
  const national = abroad?.[1] ?? text
  const bare = national.replace(/^0/, '')
  if (mobile.test(bare)) return { e164: `+977${bare}`, kind: 'mobile' }
  if ((abroad || bare !== national) && landline.test(bare)) return { e164: `+977${bare}`, kind: 'landline' }
  return null
}

/** Why `dialable` returned null, continuing a sentence that begins with the number. */
export function whyNotDialable(written: string): string {
  const text = withoutSeparators(written)
  if (text === '') return 'is empty'
  if (/^\+?\d+E\+?\d+$/i.test(text))
    return 'was cut by a spreadsheet (format the column as text, enter the numbers again)'
  if (/\p{L}/u.test(text)) return 'has letters'
  if (!/^\+?\d+$/.test(text)) return 'is not written like a phone number'
  if (/^(?:\+|00)(?!977)/.test(text)) return 'is not Nepali'
  const digits = text.replace(/^(?:\+|00)?977(?=\d{6})|^\+|^0/, '')
  if (digits.length < 8) return 'is too short'
  if (digits.length > 10) return 'is too long'
  if (/^[1-9]\d{7}$/.test(digits)) return 'lacks a digit, or the 0 in front of a landline'
  return 'is neither a mobile nor a landline number of Nepal'
}

/** The number as the database stores it: 9779812345678. */
export function phoneDigits(phone: Phone): number {
  return Number(phone.e164.slice(1))
}

/** Shown for calls and messages of deleted campaigns, whose numbers are stored as 0. */
export const deletedNumber = '(deleted)'

/** National digits as screens and exports show them: ten for a mobile, 0 and eight for a landline. Also takes phoneDigits as text. */
export function nationalOf(e164: string): string {
  if (e164 === '0') return deletedNumber
  const national = e164.replace(/^\+?977/, '')
  return national.length === 8 ? `0${national}` : national
}
