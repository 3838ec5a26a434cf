import { parentPort, workerData } from 'node:worker_threads'
import { Client } from 'pg'
import { poolConfig } from '../../db/pool.ts'
import type { ReportJob } from './worker.ts'
import type { FromOwnThread } from '../../workers/own-thread.ts'
import { makeReport, type ReportZips } from './worker-report.ts'

const job: ReportJob = workerData
const client = new Client(poolConfig({ connectionString: job.databaseUrl, max: 1, name: 'ghanti-report' }))
await client.connect()
const zips = await makeReport(client, job.campaignId, job.folder)
await client.end()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage({ done: zips } satisfies FromOwnThread<ReportZips>)
