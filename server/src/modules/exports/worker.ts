import type { ExportJob, ExportReply } from './worker-table.ts'
import { inOwnThread } from '../../workers/own-thread.ts'

export function exportFile(job: ExportJob, signal: AbortSignal, onRows: (rows: number) => void): Promise<ExportReply> {
  const url = new URL('./worker-thread.ts', import.meta.url)
  return inOwnThread(job, { url, what: 'an export', signal, onRows, megabytesMax: 192 })
}
