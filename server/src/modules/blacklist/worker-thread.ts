import { parentPort, workerData } from 'node:worker_threads'
import { openPool } from '../../db/pool.ts'
import { importBlacklist } from './worker-file.ts'
import type { BlacklistJob } from './worker.ts'

const { databaseUrl, ...file }: BlacklistJob = workerData
const pool = openPool({ connectionString: databaseUrl, max: 1, name: 'ghanti-blacklist' }, (error) => {
  throw error
})
const end = await importBlacklist(pool, file)
await pool.end()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(end)
