import { bsOfAd, dayOfIso, isoOf } from '@ghanti/callflow/speech/calendar.ts'
import { monthWords } from '@ghanti/callflow/speech/months.ts'
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
