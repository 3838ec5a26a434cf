import type { Job } from 'pg-boss'
import * as z from 'zod/mini'
import type { App } from './app.ts'
import type { QueueName } from './db/queues.ts'
import { giveUpReport, makeReport } from './modules/reports/actions-make.ts'

const ReportJob = z.object({ campaignId: z.number() })

/** What takes a queue's jobs, one at a time in each process. A job that throws is tried again as its queue says. */
type Worker = (app: App, data: unknown, signal: AbortSignal) => Promise<void>
const workers: Readonly<Record<QueueName, Worker>> = {
  report: (app, data, signal) => makeReport(app, z.parse(ReportJob, data).campaignId, signal),
  'report-failed': (app, data) => giveUpReport(app, z.parse(ReportJob, data).campaignId),
}

/** A new job is notified of; one that is tried again is found by polling. */
const taking = { batchSize: 1, burstWhenBatchFull: true, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 3 }

/** Begins to work on background jobs; ends with `app.jobs.stop()`. */
export async function startWorkers(app: App): Promise<void> {
  for (const [queue, worker] of Object.entries(workers))
    await app.jobs.work(queue, taking, async ([job]: Job<unknown>[]) => {
      if (!job) return
      try {
        await worker(app, job.data, job.signal)
      } catch (error) {
        app.log.error({ error, queue, data: job.data }, 'job failed')
        throw error
      }
    })
}
