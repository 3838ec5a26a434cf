import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { PgBoss } from 'pg-boss'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import {
  goingOnFrom,
  isBeforeSchema,
  requireFolded,
  schemaHash,
  schemaName,
  tooOldBackup,
  type Applied,
  type Migration,
} from './folded.ts'
import { functionFiles, makeFunctions, missingFunctions, type DatabaseFunction } from './functions.ts'
import { requireOwner } from './login.ts'
import { sqlFilesIn } from './sql-files.ts'
import { DatabaseClient } from '../servers/client.ts'
import { JobsDatabase } from '../jobs/jobs-database.ts'
import { defineQueues } from '../jobs/queues.ts'
import { codeOf } from '../../lib/error-code.ts'

const migrationsFolder = path.resolve(import.meta.dirname, '../../../migrations')
const schemaFolder = path.resolve(import.meta.dirname, '../../../schema')
export const jobSchema = 'pgboss'

/**
 * A migration waits for a table's lock for this long at most, because calls that need the table wait behind it. Then it lets go of all that it has, and tries
 * again. PostgreSQL's own cleaning, which it may wait for, gives way after a second.
 */
const lockMs = 2000
const againMs = 3000
const lockTriesMax = 200
const adviceMs = 200
/** A lock was not free in time, or the migration and a call waited for each other. */
const inTheWay = ['55P03', '40P01']

/** The schema itself, then what came after. */
export function migrationFiles(): Migration[] {
  const text = sqlFilesIn(schemaFolder)
    .map((file) => file.text)
    .join('\n')
  return [{ name: schemaName, hash: schemaHash, text, before: [] }, ...migrationsIn(migrationsFolder)]
}

export function migrationsIn(from: string): Migration[] {
  if (!fs.existsSync(from)) return [] // git keeps no empty folder
  return sqlFilesIn(from).map((file) => ({ ...file, before: statementsBefore(path.join(from, 'before', file.name)) }))
}

function statementsBefore(file: string): string[] {
  if (!fs.existsSync(file)) return []
  const statements = fs.readFileSync(file, 'utf8').split(/;$/m)
  return statements.filter((statement) => statement.trim() !== '')
}

/** Changes with every change of what makes the schema. It names the template database that was made so. */
export function migrationsHash(): string {
  const hash = createHash('sha256').update(fs.readFileSync(import.meta.filename))
  for (const { name, text, before } of migrationFiles()) hash.update(`${name} ${text} ${before.join(' ')}\n`)
  for (const { name, text } of functionFiles()) hash.update(`${name} ${text}\n`)
  return hash.digest('hex')
}

/**
 * Brings the schema up to date as the owner, one migrator at a time. Each file is one transaction, with its row in schema_migration. Answers
 * the names of the files that it applied. `files`: as far as a backup's schema, then without the functions, which may need more.
 */
export async function migrate(
  connectionString: string,
  files = migrationFiles(),
  functions: readonly DatabaseFunction[] = functionFiles(),
): Promise<string[]> {
  const client = new DatabaseClient({ connectionString, application_name: 'ghanti-migrate' })
  await client.connect()
  try {
    await requireOwner(client)
    await lockMigrations(client)
    await client.query(
      'create table if not exists schema_migration (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    const found = await appliedTo(client)
    const hashes = new Map(found.map(({ name, hash }) => [name, hash]))
    const made: string[] = []
    for (const file of isBeforeSchema(found) ? goingOnFrom(found, files) : files) {
      const hash = hashes.get(file.name)
      if (hash === undefined) {
        await apply(client, file)
        made.push(file.name)
      } else if (hash !== file.hash) throw new Error(`migration ${file.name} was edited after it was applied here`)
    }
    await makeFunctions(client, functions)
    await migrateJobs(client, connectionString)
    return made
  } finally {
    await client.end()
  }
}

/** The files that a backup names. */
export function knownFiles(only: Applied): Migration[] {
  if (isBeforeSchema(only)) throw new Error(tooOldBackup)
  const files = migrationFiles()
  return only.map(({ name, hash }) => {
    const file = files.find((known) => known.name === name && known.hash === hash)
    if (!file)
      throw new Error(
        `this version does not know migration ${name} in that form: restore with the version that made the backup`,
      )
    return file
  })
}

const appliedText = 'select name, hash from schema_migration order by name collate "C"'

async function appliedTo(client: Client): Promise<Applied> {
  return (await client.query<Applied[number]>(appliedText)).rows
}

/** The lock is freed with the session. It is polled, since a statement that waited for it would hold up an index built beside calls, which waits for all statements. */
async function lockMigrations(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(
      "select pg_try_advisory_lock(hashtext('ghanti migrate')) as mine",
    )
    if (rows[0]?.mine) return
    await sleep(adviceMs)
  }
}

async function apply(client: Client, file: Migration): Promise<void> {
  try {
    for (const statement of file.before) {
      const isBesideCalls = /^(?:create (?:unique )?|drop )index concurrently/m.test(statement)
      await client.query(`set lock_timeout = ${isBesideCalls ? 0 : lockMs}`)
      await patiently(() => client.query(statement))
    }
    await patiently(() => applyWhole(client, file))
  } catch (error) {
    throw new Error(`migration ${file.name}: ${String(error)}`, { cause: error })
  }
}

async function applyWhole(client: Client, { name, text, hash }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockMs}`)
    await client.query(text)
    await client.query('insert into schema_migration (name, hash) values ($1, $2)', [name, hash])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Again and again while somebody else holds a lock that it needs. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await work()
      return
    } catch (error) {
      if (!inTheWay.includes(codeOf(error) ?? '') || tries >= lockTriesMax) throw error
      await sleep(againMs)
    }
}

/** pg-boss brings its own tables. The application's role uses them and changes none. */
async function migrateJobs(client: Client, connectionString: string): Promise<void> {
  const database = new JobsDatabase({ connectionString, name: 'ghanti-migrate', asOwner: true, max: 2 }, () => {})
  const jobs = new PgBoss({
    db: database,
    schema: jobSchema,
    supervise: false,
    schedule: false,
    reindex: false,
  })
  let failure: Error | undefined
  jobs.on('error', (error) => (failure = error))
  await jobs.start()
  await defineQueues(jobs)
  await jobs.stop({ graceful: false })
  await database.close()
  if (failure) throw failure
  await client.query(`
    grant usage on schema ${jobSchema} to ghanti_app;
    grant select, insert, update, delete on all tables in schema ${jobSchema} to ghanti_app;
    grant usage, select on all sequences in schema ${jobSchema} to ghanti_app;
    grant select on schema_migration to ghanti_app;
  `)
}

/** A process refuses a schema older than it needs. A newer one is fine, since migrations only add what older code can live with. */
export async function requireSchema(db: Db): Promise<void> {
  const table = await sql<{ there: boolean }>`select to_regclass('schema_migration') is not null as there`.execute(db)
  const applied = table.rows[0]?.there ? (await sql<Applied[number]>`${sql.raw(appliedText)}`.execute(db)).rows : []
  const files = migrationFiles().filter(
    (file) => !applied.some((row) => row.name === file.name && row.hash === file.hash),
  )
  if (isBeforeSchema(applied)) requireFolded(applied)
  const missing = [...files.map(({ name }) => name), ...(await missingFunctions(db))]
  if (missing.length > 0)
    throw new Error(
      `the database lacks ${missing.join(', ')} in the form that this version needs: run \`npm run migrate\``,
    )
}
