import { codeOf } from '../../../lib/error-code.ts'
import { inOwnThread } from '../../../workers/own-thread.ts'
import { secondsMax } from './rules-table.ts'
import type { AddEnd, AddJob } from './worker-added.ts'
import type { TableEnd, TableJob } from './worker-table.ts'

/** Reads a table in a thread of its own with limited memory and time. */
export function tableOf(job: TableJob): Promise<TableEnd> {
  return inThread<TableEnd>(job, { megabytesMax: 256, secondsMax })
}

/** The same for adding rows. This needs more memory, because the thread remembers every row of both files. */
export function addedTo(job: AddJob): Promise<AddEnd> {
  return inThread<AddEnd>(job, { megabytesMax: 1024, secondsMax: 2 * secondsMax })
}

type TooMuch = Extract<TableEnd & AddEnd, { kind: 'refused' }>

type Limits = { megabytesMax: number; secondsMax: number }

async function inThread<End>(job: object, { megabytesMax, secondsMax }: Limits): Promise<End | TooMuch> {
  const signal = AbortSignal.timeout(secondsMax * 1000)
  const url = new URL('./worker-table-thread.ts', import.meta.url)
  try {
    return await inOwnThread<End>(job, { url, what: 'the text of a contact file', signal, megabytesMax })
  } catch (error) {
    const isTooMuch = signal.aborted || codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY'
    if (!isTooMuch) throw error
    return { kind: 'refused', code: 'too_large', why: 'is too much to read at once: split it' }
  }
}
