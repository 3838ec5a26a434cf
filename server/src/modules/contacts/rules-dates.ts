import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import type { ColumnOrder, ColumnOrders, DateOrder } from '@ghanti/contract/date-orders.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { orderProvenBy, readValue } from '@ghanti/callflow/speech/read.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import * as z from 'zod'
import type { FieldError } from '../../errors.ts'

/**
 * A wrong day must never be spoken, and nobody called on a wrong day. A column of dates is therefore read in one order: the one that a day proves
 * which is impossible in the other, or else the one that a person chose. Where neither is known, or days prove both, whatever uses the column is
 * refused until somebody chooses; and each date that can be two days is refused by itself, whoever reads it.
 */
export class OrdersFound {
  readonly #found = new Map<string, ColumnOrder | 'either'>()

  take(column: string, value: string): void {
    const proven = orderProvenBy(value)
    if (proven === null) return
    const known = this.#found.get(column)
    if (known === undefined || known === 'either') this.#found.set(column, proven)
    else if (proven !== 'either' && proven !== known) this.#found.set(column, 'ask')
  }

  /** A column whose dates could all stand in either order until now: a later row may decide. */
  get isOpen(): boolean {
    return [...this.#found.values()].includes('either')
  }

  get orders(): ColumnOrders {
    return Object.fromEntries(
      Array.from(this.#found, ([column, order]) => [column, order === 'either' ? 'ask' : order]),
    )
  }
}

/** Null: unknown, so that dates which can be two days are refused. */
export function orderIn(orders: ColumnOrders | null | undefined, column: string): DateOrder | null {
  const order = ownValue(orders, column)
  return order === undefined || order === 'ask' ? null : order
}

export function mustAskFor(orders: ColumnOrders | null, column: string): boolean {
  return ownValue(orders, column) === 'ask'
}

/** Those of `known` go before those that a part of its rows proves. */
export function ordersWith(found: ColumnOrders, known: ColumnOrders | null): ColumnOrders {
  return { ...found, ...known }
}

export function decidedIn(orders: ColumnOrders | null): Readonly<Record<string, DateOrder>> {
  return Object.fromEntries(
    Object.entries(orders ?? {}).flatMap(([column, order]) => (order === 'ask' ? [] : [[column, order] as const])),
  )
}

/**
 * Why an added row with these values cannot be read in the file's orders. `beside`: what the rows that are added with it prove. Where that is the other
 * order, a date that can be two days was meant in it.
 */
export function wrongDate(
  values: Readonly<Record<string, string>>,
  { known, beside }: { known: ColumnOrders; beside: ColumnOrders },
): string | null {
  for (const [column, value] of Object.entries(values)) {
    const order = orderIn(known, column)
    const proven = order === null ? null : orderProvenBy(value)
    if (order === null || proven === null || proven === order) continue
    const meant = orderIn(beside, column)
    if (proven === 'either') {
      if (meant !== null && meant !== order) return `${column} ${whyMeantOtherwise[order]}`
      continue
    }
    const read = readValue('date', value, order)
    if (!read.ok) return `${column} ${read.why}`
  }
  return null
}

const whyMeantOtherwise: Record<DateOrder, string> = {
  dmy: 'can be two days: the rows beside it have the month first, and its column has the day first',
  mdy: 'can be two days: the rows beside it have the day first, and its column has the month first',
}

const Stored = z.nullable(z.record(z.string(), z.enum(['dmy', 'mdy', 'ask'])))

/** Null: the file was stored before orders were. */
export function storedOrders(base: { date_orders: unknown }): ColumnOrders | null {
  return Stored.parse(base.date_orders)
}

type Asked = { columns: readonly string[]; found: ColumnOrders; asked: Readonly<Record<string, DateOrder>> }

/** What is wrong with the orders that somebody chose for a file's columns. */
export function orderProblems({ columns, found, asked }: Asked): FieldError[] {
  const wrong = (code: FaultCode, text: string): FieldError => ({ field: 'dateOrders', code, text })
  return Object.entries(asked).flatMap(([column, order]) => {
    const proven = orderIn(found, column)
    if (!columns.slice(1).includes(column))
      return [wrong('invalid', `names a column that the file lacks: ${column.slice(0, nameMax)}`)]
    if (proven === null || proven === order) return []
    return [wrong('impossible', `is not the order of ${column}: it has days that are possible in the other one alone`)]
  })
}

export const askedFor = (column: string): string =>
  `has dates in the column ${column} that can be two days: say whether the day or the month stands first there`

/** The cells that are dates, by column, as AD days. */
export function datesOf(values: Readonly<Record<string, string>>, orders: ColumnOrders | null): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([column, value]) => {
      const read = readValue('date', value, orderIn(orders, column))
      return read.ok ? [[column, read.value] as const] : []
    }),
  )
}
