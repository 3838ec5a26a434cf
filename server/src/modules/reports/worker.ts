import type { ReadFrom } from '../../db/servers/replica.ts'
import { inOwnThread } from '../../workers/own-thread.ts'
import type { ReportOf, ReportZips } from './worker-report.ts'

export type ReportJob = ReadFrom & ReportOf & { folder: string }

export function reportZips(job: ReportJob, signal: AbortSignal): Promise<ReportZips> {
  return inOwnThread(job, { url: new URL('./worker-thread.ts', import.meta.url), what: 'a report', signal })
}
