/** The thread of export-worker.ts: writes one file over connections of its own and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { writeExport, type ExportReply } from './export.ts'
import type { FromOwnThread } from './own-thread.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const tell = (told: FromOwnThread<ExportReply>): void => parentPort?.postMessage(told)

tell({ done: await writeExport(workerData, (rows) => tell({ rows })) })
