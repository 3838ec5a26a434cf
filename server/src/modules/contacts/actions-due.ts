import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { App } from '../../app.ts'
import { byteOrderMark, csvLine } from '../../lib/csv.ts'
import { jobOf, readOrRefused, type Base } from './actions.ts'
import type { DueSettings } from './rows/rules-due.ts'
import { contactBatches, contactTurn, type BatchOf } from './rows/worker.ts'

type Due = Omit<DueSettings, 'columns'>
type File = Pick<Base, 'owner_id' | 'file_hash' | 'first_line' | 'spoken_from' | 'size_bytes' | 'columns'>

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
): Promise<{ rows: number; size: number }> {
  let rows = 0
  let size = 0
  async function* pieces(): AsyncGenerator<Buffer> {
    yield piece(byteOrderMark + csvLine(file.columns))
    for await (const batch of dueBatches(app, file, due, signal)) {
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
  return { rows, size }
}

async function* dueBatches(app: App, file: File, due: Due, signal?: AbortSignal): AsyncGenerator<BatchOf['due']> {
  const job = { ...(await jobOf(app, file, 0)), due: { ...due, columns: file.columns } }
  await using batches = contactBatches(job, 'due', signal)
  for (;;) {
    const next = await batches.next()
    if (!next.done) yield next.value
    else return void readOrRefused(next.value, 'baseId', file.size_bytes)
  }
}
