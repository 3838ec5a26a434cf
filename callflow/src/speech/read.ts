import type { SpokenKind } from '@ghanti/contract/templates.ts'
import { adYearMax } from '@ghanti/contract/time.ts'
import { adOfBs, bsYears, type Day, hasBsDay, isAdDay, isoOf } from './calendar.ts'
import { readMonthName, readNamedDay } from './months.ts'

/**
 * A cell's value in its normal form, which is the same text for equal values; or why it cannot be spoken, continuing a sentence that begins with
 * the column's name.
 */
export type Reading = { ok: true; value: string } | { ok: false; why: string }

export type SpokenValue = { kind: SpokenKind; value: string }

const refused = (why: string): Reading => ({ ok: false, why })
const read = (value: string): Reading => ({ ok: true, value })

/** 99,99,99,999.99 rupees. */
export const amountPaisaMax = 99_99_99_999_99
const tokenLettersMax = 20
const nameLettersMax = 40
const nameWordsMax = 5
const serviceDigitsMax = 4

/** Trimmed, with ASCII digits. */
function tidy(text: string): string {
  return text
    .normalize('NFC')
    .trim()
    .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
}

/**
 * The normal forms: amount '1234567.50' · date '2026-11-22' (AD) · month '5', or 'ad:5' and 'bs:5' when its name tells the calendar ·
 * token 'AB12' · name and service as written, with single blanks.
 */
export function readValue(kind: SpokenKind, text: string): Reading {
  const value = tidy(text)
  if (value === '') return refused('is missing')
  return readers[kind](value)
}

const readers: Record<SpokenKind, (text: string) => Reading> = {
  amount: readAmount,
  date: readDate,
  month: readMonth,
  token: readToken,
  name: readName,
  service: readService,
}

function readAmount(text: string): Reading {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(text)
  if (!parts) return refused('is not an amount: write digits without commas or words, like 1234567.50')
  const [, rupees = '', decimals = ''] = parts
  if (decimals.length > 2) return refused('has more than two decimals')
  const whole = rupees.replace(/^0+/, '') || '0'
  const paisa = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  if (paisa > amountPaisaMax) return refused('is more than 99,99,99,999.99')
  return read(`${whole}.${decimals.padEnd(2, '0')}`)
}

function readDate(text: string): Reading {
  const named = readNamedDay(text)
  const day = named ?? readDay(text)
  if (!day) return refused('is not a date: write yyyy-MM-dd or d/M/yyyy')
  const noDay = 'is not a day of the calendar'
  if (named && (named.calendar === 'bs') !== day.year > adYearMax) return refused(noDay)
  const beyond = `lies outside the calendar's tables (BS ${bsYears.first} to ${bsYears.last})`
  if (day.year > adYearMax) {
    const ad = adOfBs(day)
    if (ad === 'beyond') return refused(beyond)
    return ad ? read(isoOf(ad)) : refused(noDay)
  }
  if (!isAdDay(day)) return refused(noDay)
  return hasBsDay(day) ? read(isoOf(day)) : refused(beyond)
}

function readDay(text: string): Day | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  if (slashed) return { year: Number(slashed[3]), month: Number(slashed[2]), day: Number(slashed[1]) }
  return null
}

function readMonth(text: string): Reading {
  const number = /^0?([1-9]|1[0-2])$/.exec(text)?.[1]
  const month = number ?? readMonthName(text)
  return month === undefined ? refused('is not a month: write 1 to 12 or its name') : read(month)
}

function readToken(text: string): Reading {
  if (!/^[0-9A-Za-z]+$/.test(text)) return refused('is not a token: write digits and letters A to Z alone')
  if (text.length > tokenLettersMax) return refused(`has more than ${tokenLettersMax} digits and letters`)
  return read(text.toUpperCase())
}

function readName(text: string): Reading {
  if (/\p{N}/u.test(text)) return refused('has digits')
  return readWords(text)
}

/** Like a name, but may contain some digits ('4G', 'Tyre 16'): at most two in a row and four in all, so that no telephone number can be spoken. */
function readService(text: string): Reading {
  if (/\d{3}/.test(text)) return refused('has more than two digits in a row')
  if ((text.match(/\d/g) ?? []).length > serviceDigitsMax) return refused(`has more than ${serviceDigitsMax} digits`)
  return readWords(text)
}

/**
 * 'K.B.Thapa', 'Md.Ali' and '2.5' have full stops within a word. With more characters before one, 'win.example.com' would be spoken: an address that
 * nobody approved.
 */
function isJoined(word: string): boolean {
  const parts = word.split('.')
  while (parts.at(-1) === '') parts.pop() // Full stops at its end join nothing.
  return parts.slice(0, -1).some((part) => (part.match(/[\p{L}0-9]/gu) ?? []).length > 2)
}

/** Each word begins with a letter or digit; marks and the joiners of Indic scripts follow letters. */
const wordOfName = /^[\p{L}0-9][\p{L}\p{M}0-9.\u200c\u200d]*$/u

/** Letters of any script, '.', and single blanks: nothing that could form a message that nobody approved (docs/design.md#spoken-values). */
function readWords(text: string): Reading {
  const words = text.split(/\s+/)
  if (!words.every((word) => wordOfName.test(word)) || !/\p{L}/u.test(text))
    return refused('may hold letters, blanks and full stops alone')
  if (words.some(isJoined)) return refused('has a full stop within a word: write a blank after it')
  const value = words.join(' ')
  if ([...value].length > nameLettersMax) return refused(`has more than ${nameLettersMax} letters`)
  if (words.length > nameWordsMax) return refused(`has more than ${nameWordsMax} words`)
  return read(value)
}
