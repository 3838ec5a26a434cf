import { Worker } from 'node:worker_threads'
import type { ReportZips } from './report.ts'

export type ReportJob = { databaseUrl: string; campaignId: number; folder: string }

/** Makes a report's zips in a thread of its own; aborting ends the thread. */
export function reportZips(job: ReportJob, signal: AbortSignal): Promise<ReportZips> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = new Worker(new URL('./report-thread.ts', import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const abort = (): void => void worker.terminate()
    signal.addEventListener('abort', abort, { once: true })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', abort)
      reject(new Error(`the report's thread ended with code ${code}`)) // ignored after an answer
    })
  })
}
