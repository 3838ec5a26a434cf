/** The thread of worker.ts: writes one file over connections of its own and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { writeExport, type ExportReply } from './worker-table.ts'
import type { FromOwnThread } from '../../workers/own-thread.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const tell = (told: FromOwnThread<ExportReply>): void => parentPort?.postMessage(told)

tell({ done: await writeExport(workerData, (rows) => tell({ rows })) })
