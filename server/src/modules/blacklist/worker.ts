import { fileReader } from '../../workers/file-reader.ts'
import type { FileEnd } from '../contacts/rows/worker-file.ts'
import type { RefusedRow } from '../contacts/rules.ts'
import type { read } from './worker-reader.ts'

/** `takes`: `cell` where a person chose the number's column, else `row`. */
export type NumbersFile = {
  path: string
  declaredType: string
  sizeMax: number
  firstLine?: number
  takes: 'cell' | 'row'
}
export type RefusedLine = Pick<RefusedRow, 'line' | 'text' | 'reason'>
/** `copy`: the rows as COPY text for store-upload.ts. `refused`: the first of those refused. */
export type NumbersBatch = { copy: Uint8Array; refused: RefusedLine[] }

const readNumbers = fileReader<typeof read>('numbers', new URL('./worker-reader.ts', import.meta.url))

/** Reads a file of numbers in a process of its own. The caller limits how many run at once. */
export function numberBatches({
  path,
  declaredType,
  sizeMax,
  firstLine = 1,
  takes,
}: NumbersFile): AsyncGenerator<NumbersBatch, FileEnd> {
  return readNumbers({ path, declaredType, sizeMax, firstLine, takes }, { paths: [path] })
}
