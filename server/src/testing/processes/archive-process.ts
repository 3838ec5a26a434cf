/**
 * A process that archives, or completes deletions, for tests that kill it. It prints `ready`, reads its order (one line of JSON) and works until it kills
 * itself with SIGKILL at the nth occurrence of the ordered moment: 'part' (before each campaign of a file is written, and before the transaction),
 * 'stored' (a file is complete), or part of a statement's text such as 'commit' (after its result has arrived).
 */
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { readConfig } from '../../config.ts'
import { openPool } from '../../db/pool.ts'
import type { DB } from '../../db/tables.ts'
import { testFiles } from '../files/test-files.ts'
import { archiveOld } from '../../modules/retention/actions-archives.ts'
import { forgetDeleted } from '../../modules/retention/actions-delete.ts'
import { happened, readOrder } from './engine-moments.ts'

const Order = z.object({
  databaseUrl: z.string(),
  dataFolder: z.string(),
  work: z.enum(['archive', 'forget']),
  /** The fixed time of its clock. */
  now: z.string(),
  killAt: z.object({ what: z.string(), nth: z.number() }),
})
export type ArchiveOrder = z.output<typeof Order>

const { databaseUrl, dataFolder, work, now, killAt } = await readOrder(Order)
const pool = openPool({ connectionString: databaseUrl, max: 4, name: 'ghanti-archive-test' }, () => {})
const db = new Kysely<DB>({
  dialect: new PostgresDialect({ pool }),
  log: ({ level, query }) => {
    if (level === 'query' && query.sql.includes(killAt.what)) happened(killAt.what)
  },
})
const files = testFiles(path.join(dataFolder, 'files'))
const app = {
  db,
  databaseUrl,
  config: readConfig({ DATA_FOLDER: dataFolder, LOG_LEVEL: 'silent', PORT: '0' }),
  log: pino({ level: 'silent' }),
  clock: { now: () => new Date(now) },
  files: {
    ...files,
    async put(file: string) {
      const hash = await files.put(file)
      happened('stored')
      return hash
    },
  },
}
const { signal } = new AbortController()
signal.throwIfAborted = () => happened('part')
const tries = 200
// The process that was killed may hold its lock for another moment.
for (let left = tries; left > 0; left--) {
  await (work === 'archive' ? archiveOld(app, signal) : forgetDeleted(app, signal))
  await sleep(50)
}
