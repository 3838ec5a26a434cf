import type { SpokenKind } from '@ghanti/contract/templates.ts'
import { adYearMax } from '@ghanti/contract/time.ts'
import { readAmount } from './amounts.ts'
import { adOfBs, bsYears, type Day, hasBsDay, isAdDay, isoOf } from './calendar.ts'
import { readMonthName, readNamedDay } from './months.ts'
import { readName, readService, readToken } from './names.ts'
import { read, refused, type Reading } from './reading.ts'

export type SpokenValue = { kind: SpokenKind; value: string }

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
