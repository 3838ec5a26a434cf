import { parentPort, workerData } from 'node:worker_threads'
import { clientConfig } from '../../db/pool.ts'
import { DatabaseClient } from '../../db/servers/client.ts'
import { writeBase, type BaseFromJob, type BaseFromReply } from './worker-file.ts'
import type { FromOwnThread } from '../../workers/own-thread.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const post = (message: FromOwnThread<BaseFromReply>): void => parentPort?.postMessage(message)

const job: BaseFromJob = workerData
const client = new DatabaseClient(clientConfig({ connectionString: job.databaseUrl, name: 'ghanti-base-from' }))
await client.connect()
const done = await writeBase(client, job, (rows) => post({ rows }))
await client.end()
post({ done })
