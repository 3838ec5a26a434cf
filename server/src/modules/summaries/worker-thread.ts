import { parentPort } from 'node:worker_threads'
import { summaryPdf, type SummaryPdfJob } from './worker-page.ts'

parentPort?.on('message', async (job: SummaryPdfJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(await summaryPdf(job))
})
