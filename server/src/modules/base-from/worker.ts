import type { BaseFromJob, BaseFromReply } from './worker-file.ts'
import { inOwnThread } from '../../workers/own-thread.ts'

export function baseFile(
  job: BaseFromJob,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<BaseFromReply> {
  const url = new URL('./worker-thread.ts', import.meta.url)
  return inOwnThread(job, { url, what: 'a contact file', signal, onRows })
}
