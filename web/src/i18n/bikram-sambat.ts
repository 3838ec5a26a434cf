import { bsOfAd, dayOfIso, isoOf } from '@ghanti/callflow/speech/calendar.ts'
import { monthWords } from '@ghanti/callflow/speech/months.ts'
import type { Calendar } from '@ghanti/contract/templates.ts'
import type { Language } from './areas.ts'
import { digitsFor } from './chosen-digits.ts'

/** The Bikram Sambat date of 'yyyy-MM-dd' (AD) as calls speak it, like '2083 Mangsir 5'; null outside the table (1913 to April 2034). */
export function bikramSambatOf(day: string, language: Language): string | null {
  const bs = bsOfAd(dayOfIso(day))
  if (!bs) return null
  return digitsFor(language, `${bs.year} ${monthWords.bs[language][bs.month - 1]} ${bs.day}`)
}

/** In digits, like '2083-08-05'. */
export function bikramSambatDayOf(day: string): string | null {
  const bs = bsOfAd(dayOfIso(day))
  return bs && isoOf(bs)
}

const weekdays: Record<Language, readonly string[]> = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  ne: ['आइतबार', 'सोमबार', 'मङ्गलबार', 'बुधबार', 'बिहीबार', 'शुक्रबार', 'शनिबार'],
}

/**
 * 'yyyy-MM-dd' (AD) in words of a calendar: 'Sunday, 29 November 2026' or '13 Mangsir 2083'. The first calendar of a pair has the weekday.
 * Null outside the table.
 */
export function dayInWords(day: string, language: Language, calendar: Calendar, withWeekday: boolean): string | null {
  const date = calendar === 'bs' ? bsOfAd(dayOfIso(day)) : dayOfIso(day)
  if (!date) return null
  const month = monthWords[calendar][language][date.month - 1]
  const words = language === 'ne' ? `${date.year} ${month} ${date.day}` : `${date.day} ${month} ${date.year}`
  const weekday = weekdays[language][new Date(`${day}T00:00:00Z`).getUTCDay()]
  return digitsFor(language, withWeekday ? `${weekday}, ${words}` : words)
}
