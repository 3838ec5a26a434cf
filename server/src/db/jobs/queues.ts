import type { PgBoss, Queue } from 'pg-boss'

/** Mail survives a mail server that is away for a few minutes: retries after 10, 20, 40, 80 and 160 s, each up to twice as late. */
const mailed = {
  retryLimit: 5,
  retryDelay: 10,
  retryBackoff: true,
  expireInSeconds: 120,
  heartbeatSeconds: 10,
} as const

/** A file that is made of stored data: started again after a fault or the end of its process. */
const made = {
  retryLimit: 3,
  retryDelay: 2,
  retryBackoff: true,
  expireInSeconds: 3600,
  heartbeatSeconds: 10,
} as const

/** A job whose process was killed runs again after `heartbeatSeconds`; one that fails for good goes to its dead-letter queue. */
const queues = [
  { name: 'forget', notify: true, ...made },
  { name: 'report-failed', notify: true },
  { name: 'mail-failed', notify: true },
  { name: 'export-failed', notify: true },
  { name: 'export', notify: true, deadLetter: 'export-failed', ...made },
  { name: 'base-from-failed', notify: true },
  { name: 'base-from', notify: true, deadLetter: 'base-from-failed', ...made },
  { name: 'repeat-failed', notify: true },
  { name: 'repeat', notify: true, deadLetter: 'repeat-failed', ...made },
  { name: 'verification-mail', notify: true, deadLetter: 'mail-failed', ...mailed },
  { name: 'security-mail', notify: true, deadLetter: 'mail-failed', ...mailed },
  { name: 'factor-mail', notify: true, deadLetter: 'mail-failed', ...mailed },
  { name: 'notice-mail', notify: true, deadLetter: 'mail-failed', ...mailed },
  { name: 'summary-address', notify: true, ...mailed },
  { name: 'summary-mail-failed', notify: true },
  { name: 'summary-mail', notify: true, deadLetter: 'summary-mail-failed', ...mailed },
  { name: 'reset-mail', notify: true, deadLetter: 'mail-failed', ...mailed },
  { name: 'report', notify: true, deadLetter: 'report-failed', ...made },
] as const satisfies readonly Queue[]
export type QueueName = (typeof queues)[number]['name']

/** Leaves queues alone that are as they should be, because every start of a process runs this and each change is a transaction. */
export async function defineQueues(jobs: PgBoss): Promise<void> {
  const found = new Map((await jobs.getQueues()).map((queue) => [queue.name, queue]))
  for (const { name, ...options } of queues) {
    const queue = found.get(name)
    if (!queue) await jobs.createQueue(name, options)
    else if (!hasAll(queue, options)) await jobs.updateQueue(name, options)
  }
}

function hasAll(queue: object, options: object): boolean {
  const there = new Map(Object.entries(queue))
  return Object.entries(options).every(([name, value]) => there.get(name) === value)
}
