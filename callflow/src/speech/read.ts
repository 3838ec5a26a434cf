import type { DateOrder } from '@ghanti/contract/date-orders.ts'
import type { SpokenKind } from '@ghanti/contract/templates.ts'
import { readAmount } from './amounts.ts'
import { orderOfDate, readDate } from './dates.ts'
import { readName, readToken } from './names.ts'
import { refused, type Reading } from './reading.ts'
import { readMonth } from './year-months.ts'

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
 * token 'AB12' · name and service as they are said, with single blanks: 'Sharma and Sons'. `order`: that of the date's column; null when it is
 * not known.
 */
export function readValue(kind: SpokenKind, text: string, order: DateOrder | null = null): Reading {
  const value = tidy(text)
  if (value === '') return refused('is missing')
  return kind === 'date' ? readDate(value, order) : readers[kind](value)
}

/** Which order the text proves for the dates of its column (`orderOfDate`). Quick for cells that are no such date. */
export function orderProvenBy(text: string): DateOrder | 'either' | null {
  return separators.has(text.charAt(1)) || separators.has(text.charAt(2)) ? orderOfDate(tidy(text)) : null
}

const separators = new Set(['/', '-', '.', '।'])

const readers: Record<Exclude<SpokenKind, 'date'>, (text: string) => Reading> = {
  amount: readAmount,
  month: readMonth,
  token: readToken,
  name: readName,
  service: readName,
}
