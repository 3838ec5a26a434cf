import { parentPort, workerData } from 'node:worker_threads'
import { newClient } from '../../db/pool.ts'
import type { ReportJob } from './worker.ts'
import type { FromOwnThread } from '../../workers/own-thread.ts'
import { makeReport, type ReportZips } from './worker-report.ts'

const job: ReportJob = workerData
const client = newClient({ connectionString: job.databaseUrl, isReplica: job.isReplica, name: 'ghanti-report' })
await client.connect()
const zips = await makeReport(client, job, job.folder)
await client.end()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage({ done: zips } satisfies FromOwnThread<ReportZips>)
