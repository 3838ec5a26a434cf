import { codeOf } from '../../lib/error-code.ts'
import { inOwnThread } from '../../workers/own-thread.ts'
import { secondsMax } from './rules-table.ts'
import type { TableEnd, TableJob } from './worker-table.ts'

const megabytesMax = 256

/** Reads a file as a table in a thread of its own, within limits of memory and time. */
export async function tableOf(job: TableJob): Promise<TableEnd> {
  const signal = AbortSignal.timeout(secondsMax * 1000)
  const url = new URL('./worker-table-thread.ts', import.meta.url)
  try {
    return await inOwnThread(job, { url, what: 'the text of a contact file', signal, megabytesMax })
  } catch (error) {
    const isTooMuch = signal.aborted || codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY'
    if (!isTooMuch) throw error
    return { kind: 'refused', code: 'too_large', why: 'is too much to read at once: split it' }
  }
}
