import type { PgBoss, Queue } from 'pg-boss'

/** Every queue of background jobs. A job whose process was killed runs again after `heartbeatSeconds`; one that fails for good goes on to its dead letter. */
const queues = [
  { name: 'report-failed', notify: true },
  {
    name: 'report',
    notify: true,
    deadLetter: 'report-failed',
    retryLimit: 3,
    retryDelay: 2,
    retryBackoff: true,
    expireInSeconds: 3600,
    heartbeatSeconds: 10,
  },
] as const satisfies readonly Queue[]
export type QueueName = (typeof queues)[number]['name']

/** Makes the queues that are missing and brings the others up to date. */
export async function defineQueues(jobs: PgBoss): Promise<void> {
  for (const { name, ...options } of queues) {
    await jobs.createQueue(name, options)
    await jobs.updateQueue(name, options)
  }
}
