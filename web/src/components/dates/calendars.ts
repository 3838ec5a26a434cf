import { adOfBs, bsOfAd, bsYears, dayOfIso, isAdDay, isoOf, type Day } from '@ghanti/callflow/speech/calendar.ts'
import { monthWords, readNamedDay } from '@ghanti/callflow/speech/months.ts'
import { adYearMax } from '@ghanti/contract/time.ts'
import type { Language } from '../../i18n/areas.ts'
import { bikramSambatOf } from '../../i18n/bikram-sambat.ts'
import type { CalendarName } from '../../i18n/chosen-calendar.ts'
import { digitsFor } from '../../i18n/chosen-digits.ts'
import { isDay } from './day.ts'

/** A month of either calendar; `month` counts from 1. */
export type Month = { year: number; month: number }

const adYears = { first: 1913, last: 2199 } as const

/** Why a typed text was not read: not a date, or beyond the Bikram Sambat table. */
export type Unread = 'no date' | 'beyond'
export type Read = { day: string } | { fault: Unread }

/** The day in the calendar's own form, like '2083-08-07'; null beyond the Bikram Sambat table. */
export function writtenIn(calendar: CalendarName, day: string): string | null {
  if (calendar === 'ad') return day
  const bs = bsOfAd(dayOfIso(day))
  return bs && isoOf(bs)
}

/**
 * Reads year, month and day, separated by - / . spaces or nothing, or with the month's name, which also determines the calendar; in either
 * script. Null for empty text.
 */
export function readTyped(text: string, calendar: CalendarName): Read | null {
  const latin = text.trim().replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966))
  if (latin === '') return null
  const named = readNamedDay(latin)
  if (named) return readDay(named, named.calendar)
  const parts = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})$/.exec(latin) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(latin)
  if (!parts) return { fault: 'no date' }
  const [year = 0, month = 0, day = 0] = parts.slice(1).map(Number)
  return readDay({ year, month, day }, calendar)
}

function readDay(typed: Day, calendar: CalendarName): Read {
  if (calendar === 'ad') {
    const known = typed.year >= adYears.first && typed.year <= adYears.last && isAdDay(typed)
    return known ? { day: isoOf(typed) } : { fault: 'no date' }
  }
  const ad = adOfBs(typed)
  if (ad === 'beyond') return { fault: 'beyond' }
  return ad ? { day: isoOf(ad) } : { fault: 'no date' }
}

/** Null when the calendar does not cover the day. */
export function monthOf(calendar: CalendarName, day: string): Month | null {
  return calendar === 'ad' ? dayOfIso(day) : bsOfAd(dayOfIso(day))
}

/** Every day of a month, as 'yyyy-MM-dd' AD; empty outside the calendar's years. */
export function daysOf(calendar: CalendarName, { year, month }: Month): string[] {
  const days = Array.from({ length: 32 }, (_, index) => readDay({ year, month, day: index + 1 }, calendar))
  return days.flatMap((read) => ('day' in read ? [read.day] : []))
}

export function addMonths({ year, month }: Month, months: number): Month {
  const count = year * 12 + month - 1 + months
  return { year: Math.floor(count / 12), month: (count % 12) + 1 }
}

/** The same day of another month, or that month's last day; null outside the calendar's years. */
export function inMonths(calendar: CalendarName, day: string, months: number): string | null {
  const month = monthOf(calendar, day)
  if (!month) return null
  const number = daysOf(calendar, month).indexOf(day)
  const days = daysOf(calendar, addMonths(month, months))
  return days[Math.min(number, days.length - 1)] ?? null
}

/** 'Mangsir 2083' */
export function monthName(calendar: CalendarName, { year, month }: Month, language: Language): string {
  return digitsFor(language, `${monthWords[calendar][language][month - 1]} ${year}`)
}

/** '23 November 2026', '2083 Mangsir 7'; null when the calendar does not cover the day. */
export function saidIn(calendar: CalendarName, day: string, language: Language): string | null {
  if (calendar === 'bs') return bikramSambatOf(day, language)
  const { year, month, day: number } = dayOfIso(day)
  const name = monthWords.ad[language][month - 1]
  return language === 'ne' ? digitsFor(language, `${year} ${name} ${number}`) : `${number} ${name} ${year}`
}

/** Whether a year typed in one calendar more likely belongs to the other, with the same limit as for files. */
export function seemsOther(calendar: CalendarName, day: string): boolean {
  const written = writtenIn(calendar, day)
  if (written === null) return false
  const { year } = dayOfIso(written)
  return calendar === 'ad' ? year > adYearMax : year <= adYearMax
}

/** The last Bikram Sambat year that can be converted, and its last day (AD). */
export const bsEnd = { year: bsYears.last, day: daysOf('bs', { year: bsYears.last, month: 12 }).at(-1) ?? '' }

/** A date field's value for text that it cannot read: never a day, and it keeps the text for the draft. */
export function unreadable(text: string): string {
  return `?${text}`
}

export function textOf(value: string, calendar: CalendarName): string {
  if (!isDay(value)) return value.replace(/^\?/, '')
  return writtenIn(calendar, value) ?? value
}
