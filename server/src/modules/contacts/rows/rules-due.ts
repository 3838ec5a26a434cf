import { ownValue } from '@ghanti/contract/own-values.ts'
import { readValue } from '@ghanti/callflow/speech/read.ts'
import { addDays } from '@ghanti/contract/days.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { DateOrder } from '@ghanti/contract/date-orders.ts'
import { csvLine } from '../../../lib/csv.ts'
import type { AcceptedRow } from '../rules.ts'

/** Rows are due `offsetDays` after the date in their `column`. */
export type DueSettings = {
  column: string
  offsetDays: number
  /** Of the column's dates; null when it is not known. */
  order: DateOrder | null
  /** Only rows that are due on these days, both included, are counted or written. */
  first: string
  last: string
  /** The file's columns: the number's first, then the others as written. */
  columns: readonly string[]
}

/** Finds the rows of a contact file that are due. Dates are read as those that are spoken, AD or Bikram Sambat. */
export class DueRows {
  readonly #settings: DueSettings
  /** How many rows are due on each day. At most as many days as are asked for. */
  readonly counts = new Map<string, number>()
  /** Rows without a date that can be read. */
  unreadable = 0

  constructor(settings: DueSettings) {
    this.#settings = settings
  }

  take(rows: readonly AcceptedRow[]): { lines: string; due: number } {
    const [, ...others] = this.#settings.columns
    let lines = ''
    let due = 0
    for (const { phone, values } of rows) {
      if (!this.#isDue(values)) continue
      lines += csvLine([nationalOf(String(phone)), ...others.map((column) => ownValue(values, column) ?? '')])
      due++
    }
    return { lines, due }
  }

  #isDue(values: Readonly<Record<string, string>>): boolean {
    const { column, offsetDays, order, first, last } = this.#settings
    const text = ownValue(values, column) ?? ''
    const read = readValue('date', text, order)
    if (!read.ok) this.unreadable++
    if (!read.ok) return false
    const day = addDays(read.value, offsetDays)
    if (day < first || day > last) return false
    this.counts.set(day, (this.counts.get(day) ?? 0) + 1)
    return true
  }
}
