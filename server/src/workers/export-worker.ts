import type { ExportJob, ExportReply } from './export.ts'
import { inOwnThread } from './own-thread.ts'

/** Writes the file of an export in a thread of its own; aborting ends the thread. */
export function exportFile(job: ExportJob, signal: AbortSignal, onRows: (rows: number) => void): Promise<ExportReply> {
  const url = new URL('./export-thread.ts', import.meta.url)
  return inOwnThread(job, { url, what: 'an export', signal, onRows, megabytesMax: 192 })
}
