import { Worker } from 'node:worker_threads'
import type { BlacklistEnd, BlacklistFile } from './worker-file.ts'

export type BlacklistJob = BlacklistFile & { databaseUrl: string }

export function storeBlacklist(job: BlacklistJob): Promise<BlacklistEnd> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker-thread.ts', import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the thread of a blacklist ended with code ${code}`))) // ignored after an answer
  })
}
