import type { MoreNumbers } from '@ghanti/contract/more-numbers.ts'
import { FairSemaphore } from '../../lib/fair-semaphore.ts'
import { endOf, fileReader } from '../../workers/file-reader.ts'
import type { FileEnd } from '../contacts/rows/worker-file.ts'
import type { CliLine, RefusedLine } from './rules-file.ts'
import type { read } from './worker-reader.ts'

export type CliFile = { path: string; declaredType: string; sizeMax: number }
export type CliLines = { accepted: CliLine[]; refused: RefusedLine[]; moreNumbers: MoreNumbers }
export type CliFileEnd = ({ kind: 'read' } & CliLines) | Exclude<FileEnd, { kind: 'read' }>

const readClis = fileReader<typeof read>('numbers', new URL('./worker-reader.ts', import.meta.url))
const turns = new FairSemaphore(1)

/** Reads a file of caller IDs in a process of its own, one at a time, by turns of accounts. */
export function clisIn(file: CliFile, accountId: number): Promise<CliFileEnd> {
  return turns.run(() => endOf(readClis(file, { paths: [file.path] })), accountId)
}
