import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import type { App } from '../../app.ts'
import { byteOrderMark, csvLine } from '../../lib/csv.ts'
import { jobOf, readOrRefused, refuseUnknown, type Base } from './actions.ts'
import type { DueSettings } from './rows/rules-due.ts'
import { contactBatches, contactTurn, type BatchOf } from './rows/worker.ts'

type Due = Omit<DueSettings, 'columns' | 'order'>
type File = Pick<
  Base,
  'owner_id' | 'file_hash' | 'first_line' | 'spoken_from' | 'size_bytes' | 'columns' | 'date_orders'
>

/** How many rows are due on each day, and how many have no readable date. */
export async function countDue(
  app: App,
  file: File,
  due: Due,
): Promise<{ counts: ReadonlyMap<string, number>; unreadable: number }> {
  return await contactTurn(file.owner_id, async () => {
    let last: BatchOf['due'] | undefined
    for await (const batch of dueBatches(app, file, due)) last = batch
    return { counts: new Map(last?.counts), unreadable: last?.unreadable ?? 0 }
  })
}

export async function writeDue(
  app: App,
  file: File,
  { target, signal, ...due }: Due & { target: string; signal: AbortSignal },
): Promise<{ rows: number; size: number; dateOrders: ColumnOrders | null }> {
  let dateOrders: ColumnOrders | null = null
  let rows = 0
  let size = 0
  async function* pieces(): AsyncGenerator<Buffer> {
    yield piece(byteOrderMark + csvLine(file.columns))
    for await (const batch of dueBatches(app, file, due, { signal, known: (orders) => (dateOrders = orders) })) {
      rows += batch.due
      yield piece(batch.lines)
    }
  }
  function piece(text: string): Buffer {
    const written = Buffer.from(text)
    size += written.length
    return written
  }
  await contactTurn(file.owner_id, () => pipeline(pieces(), createWriteStream(target), { signal }))
  return { rows, size, dateOrders }
}

type More = { signal?: AbortSignal; known?: (orders: ColumnOrders) => void }

/** Throws in the end when nobody knows the order of the column's dates. `known`: gets the orders of all columns. */
async function* dueBatches(
  app: App,
  file: File,
  due: Due,
  { signal, known }: More = {},
): AsyncGenerator<BatchOf['due']> {
  const job = { ...(await jobOf(app, file, 0)), due: { ...due, columns: file.columns } }
  await using batches = contactBatches(job, 'due', signal)
  for (;;) {
    const next = await batches.next()
    if (!next.done) {
      yield next.value
      continue
    }
    const { dateOrders } = readOrRefused(next.value, 'baseId', file.size_bytes)
    refuseUnknown(dateOrders, [due.column], 'column')
    known?.(dateOrders)
    return
  }
}
