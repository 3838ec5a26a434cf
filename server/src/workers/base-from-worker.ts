import type { BaseFromJob, BaseFromReply } from './base-from.ts'
import { inOwnThread } from './own-thread.ts'

/** Writes a contact file in a thread of its own; aborting ends the thread. */
export function baseFile(
  job: BaseFromJob,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<BaseFromReply> {
  const url = new URL('./base-from-thread.ts', import.meta.url)
  return inOwnThread(job, { url, what: 'a contact file', signal, onRows })
}
