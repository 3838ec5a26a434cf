import bikramSambat from 'bikram-sambat'

/** The years of the Bikram Sambat that the conversion library knows: 13 April 1913 to 13 April 2034 (docs/adr/5). */
export const bsYears = { first: 1970, last: 2090 } as const

export type Day = { year: number; month: number; day: number }

function daysInAdMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

export function isoOf({ year, month, day }: Day): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

export function dayOfIso(iso: string): Day {
  const [year = 0, month = 0, day = 0] = iso.split('-').map(Number)
  return { year, month, day }
}

function isDay({ month, day }: Day, daysInMonth: () => number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth()
}

/** False for 31 February. */
export function isAdDay(day: Day): boolean {
  return isDay(day, () => daysInAdMonth(day.year, day.month))
}

/** Null where the library's table ends. */
export function bsOfAd(day: Day): Day | null {
  try {
    return bikramSambat.toBik(isoOf(day))
  } catch {
    return null
  }
}

/** The first and last day that have a BS date, as text, which compares as days do: every date of a file is checked against them. */
const adOfTable = {
  first: isoOf(bikramSambat.toGreg(bsYears.first, 1, 1)),
  last: isoOf(bikramSambat.toGreg(bsYears.last, 12, bikramSambat.daysInMonth(bsYears.last, 12))),
}

export function hasBsDay(day: Day): boolean {
  const iso = isoOf(day)
  return iso >= adOfTable.first && iso <= adOfTable.last
}

/** 'beyond' where the library's table ends; null when the BS month has no such day. */
export function adOfBs(day: Day): Day | 'beyond' | null {
  if (day.year < bsYears.first || day.year > bsYears.last) return 'beyond'
  if (!isDay(day, () => bikramSambat.daysInMonth(day.year, day.month))) return null
  return bikramSambat.toGreg(day.year, day.month, day.day)
}
