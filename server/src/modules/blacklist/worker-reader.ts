import { copyEscaped } from '../../db/copy-text.ts'
import { KeptRefused, type RefusedRow } from '../contacts/rules.ts'
import { validateFile, type FileEnd, type ValidatedBatch } from '../contacts/rows/worker-file.ts'
import type { NumbersBatch, NumbersFile, RefusedLine } from './worker.ts'

const shownRows = 100
/** A COPY of few large pieces is faster than one of many. */
const chunkBytes = 262_144
const encoder = new TextEncoder()

export async function* read(file: NumbersFile): AsyncGenerator<NumbersBatch, FileEnd> {
  const kept = new KeptRefused()
  const batches = validateFile({ ...file, required: 'any', chunkBytes })
  for (;;) {
    const next = await batches.next()
    if (next.done) return next.value
    const refused = kept.take(next.value.refused)
    yield { copy: copyOf(next.value, refused), refused: refused.slice(0, shownRows).map(shown) }
  }
}

function copyOf(batch: ValidatedBatch, refused: readonly RefusedRow[]): Uint8Array {
  let text = ''
  for (const { line, phone } of batch.accepted) text += numberRow(line, phone)
  for (const { line, more = [] } of [...batch.accepted, ...batch.refused])
    for (const phone of more) text += numberRow(line, phone)
  for (const row of refused) text += `${row.line}\t\\N\t${copyEscaped(row.text)}\t${copyEscaped(row.reason)}\n`
  return encoder.encode(text)
}

const numberRow = (line: number, phone: number): string => `${line}\t${phone}\t\\N\t\\N\n`

function shown({ line, text, reason }: RefusedRow): RefusedLine {
  return { line, text, reason }
}
