import { parentPort, workerData } from 'node:worker_threads'
import type { FromOwnThread } from '../../../workers/own-thread.ts'
import { addRows, type AddEnd, type AddJob } from './worker-added.ts'
import { readTable, type TableEnd, type TableJob } from './worker-table.ts'

const job: TableJob | AddJob = workerData
const reply: FromOwnThread<TableEnd | AddEnd> = { done: 'added' in job ? await addRows(job) : await readTable(job) }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(reply)
