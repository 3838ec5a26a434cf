import type { Lasts } from '@ghanti/contract/customers.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { dayNumber, dayOfNumber, type Days } from './rules.ts'

/** The forecast uses the last `lastingDays` days with any cost, going back at most `lastingBackDays`. */
export const lastingDays = 7
export const lastingBackDays = 92

export function lastsOf(freePaisa: number, spentPaisa: readonly number[]): Lasts {
  const ofDays = spentPaisa.length
  if (ofDays === 0) return { days: null, perDay: null, ofDays }
  const spent = spentPaisa.reduce((sum, paisa) => sum + paisa, 0)
  return {
    days: spent === 0 ? null : Math.max(0, Math.floor((freePaisa * ofDays) / spent)),
    perDay: rupeesOf(Math.round(spent / ofDays)),
    ofDays,
  }
}

const numberOf = (year: number, month: number, day: number) =>
  dayNumber(new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10))

function partsOf(today: number): [year: number, month: number, day: number] {
  const [year = 0, month = 1, day = 1] = dayOfNumber(today).split('-').map(Number)
  return [year, month, day]
}

/** This month up to today, and the same days of the month before: on 31 March all of February. */
export function monthDays(today: number): { now: Days; before: Days } {
  const [year, month, day] = partsOf(today)
  const first = numberOf(year, month, 1)
  const firstBefore = numberOf(year, month - 1, 1)
  return { now: { from: first, to: today }, before: { from: firstBefore, to: Math.min(firstBefore + day, first) - 1 } }
}

/** The last `count` months, 'yyyy-MM', the current one first, and the range of their days. */
export function monthsUpTo(today: number, count: number): { months: string[]; days: Days } {
  const [year, month] = partsOf(today)
  const firsts = Array.from({ length: count }, (_, back) => numberOf(year, month - back, 1))
  return {
    months: firsts.map((first) => dayOfNumber(first).slice(0, 7)),
    days: { from: firsts.at(-1) ?? today, to: today },
  }
}
