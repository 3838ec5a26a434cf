import { CompiledQuery } from 'kysely'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Tx } from '../db.ts'
import { JobsDatabase } from './jobs-database.ts'
import { jobSchema } from '../schema/migrate.ts'
import { defineQueues, type QueueName } from './queues.ts'

/** The job queue over its own small pool, as ghanti_app. `migrate` created its tables. `supervise`: handle abandoned jobs too. */
export async function openJobs(
  connectionString: string,
  log: Logger,
  { supervise }: { supervise: boolean },
): Promise<PgBoss> {
  const lost = (error: Error): void => log.error({ error }, 'a database connection of the jobs was lost')
  const database = new JobsDatabase({ connectionString, name: 'ghanti-jobs', max: 3 }, lost)
  const jobs = new PgBoss({
    db: database,
    schema: jobSchema,
    migrate: false,
    createSchema: false,
    reindex: false, // needs the owner
    useListenNotify: true, // for queues made with `notify: true`
    schedule: false,
    supervise,
    superviseIntervalSeconds: 10,
  })
  jobs.on('error', (error) => log.error({ error }, 'jobs'))
  jobs.once('stopped', () => void database.close())
  await jobs.start()
  await defineQueues(jobs)
  return jobs
}

/** The job's account, and how many of its jobs are before it: waiting jobs are taken by turns of accounts. */
type JobTurn = { accountId: number; before: number }

/** Adds a job that exists if and only if the transaction commits. It starts after `inSeconds`. */
export async function queueJob(
  jobs: PgBoss,
  tx: Tx,
  queue: QueueName,
  data: object,
  { inSeconds = 0, turn }: { inSeconds?: number; turn?: JobTurn } = {},
): Promise<void> {
  const inTransaction = {
    async executeSql(text: string, values: unknown[] = []) {
      const { rows } = await tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values))
      return { rows }
    },
  }
  const inTurn = turn ? { group: { id: String(turn.accountId) }, priority: -turn.before } : {}
  await jobs.send(queue, data, { db: inTransaction, startAfter: inSeconds, ...inTurn })
}
