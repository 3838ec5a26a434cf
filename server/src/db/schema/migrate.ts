import { ownValue } from '@ghanti/contract/own-values.ts'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { PgBoss } from 'pg-boss'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { requireOwner } from './login.ts'
import { DatabaseClient } from '../servers/client.ts'
import { JobsDatabase } from '../jobs/jobs-database.ts'
import { defineQueues } from '../jobs/queues.ts'
import { codeOf } from '../../lib/error-code.ts'

const folder = path.resolve(import.meta.dirname, '../../../migrations')
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

/** Files that were changed after they had landed, to the same effect, and the hash of what they were: databases know them by that. */
const landedAs: Readonly<Record<string, string>> = {
  '0198_rows_by_operator.sql': '7cce2746f2e8a30525f395760b2c79adb97a0978009183bd0535d23425765927',
}

/** `before`: statements that are carried out ahead of the file, one by one and beside calls; each may be repeated after it was interrupted. */
type Migration = { name: string; text: string; hash: string; before: readonly string[] }

function migrationFiles(): Migration[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = fs.readFileSync(path.join(folder, name), 'utf8')
      const hash = ownValue(landedAs, name) ?? createHash('sha256').update(text).digest('hex')
      return { name, text, hash, before: statementsBefore(name) }
    })
}

function statementsBefore(name: string): string[] {
  const file = path.join(folder, 'before', name)
  if (!fs.existsSync(file)) return []
  const statements = fs.readFileSync(file, 'utf8').split(/;$/m)
  return statements.filter((statement) => statement.trim() !== '')
}

/** As `migrate` takes them. `last` null: all. */
export function migrationsUpTo(last: string | null): { name: string; hash: string }[] {
  const files = migrationFiles().map(({ name, hash }) => ({ name, hash }))
  return last === null ? files : files.slice(0, files.findIndex(({ name }) => name === last) + 1)
}

/** Changes with every change of a migration. It names the template database that was made from them. */
export function migrationsHash(): string {
  const hash = createHash('sha256')
  for (const { name, text, before } of migrationFiles()) hash.update(`${name} ${text} ${before.join(' ')}\n`)
  return hash.digest('hex')
}

/**
 * Brings the schema up to date as the owner, one migrator at a time. Each file is one transaction, with its row in schema_migration. Answers
 * the names of the files that it applied. `only`: as far as a backup's schema.
 */
export async function migrate(
  connectionString: string,
  only?: readonly { name: string; hash: string }[],
): Promise<string[]> {
  const files = only ? knownFiles(only) : migrationFiles()
  const client = new DatabaseClient({ connectionString, application_name: 'ghanti-migrate' })
  await client.connect()
  try {
    await requireOwner(client)
    await lockMigrations(client)
    await client.query(
      'create table if not exists schema_migration (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    const applied = await appliedHashes(client)
    const made: string[] = []
    for (const file of files) {
      const hash = applied.get(file.name)
      if (hash === undefined) {
        await apply(client, file)
        made.push(file.name)
      } else if (hash !== file.hash) throw new Error(`migration ${file.name} was edited after it was applied here`)
    }
    await migrateJobs(client, connectionString)
    return made
  } finally {
    await client.end()
  }
}

function knownFiles(only: readonly { name: string; hash: string }[]): Migration[] {
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

async function appliedHashes(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from schema_migration')
  return new Map(rows.map((row) => [row.name, row.hash]))
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
    revoke insert, update, delete on schema_migration from ghanti_app;
  `)
}

/** A process refuses a schema older than it needs. A newer one is fine, since migrations only add what older code can live with. */
export async function requireSchema(db: Db): Promise<void> {
  const table = await sql<{ there: boolean }>`select to_regclass('schema_migration') is not null as there`.execute(db)
  const applied = table.rows[0]?.there
    ? (await sql<{ name: string; hash: string }>`select name, hash from schema_migration`.execute(db)).rows
    : []
  const missing = migrationFiles().filter(
    (file) => !applied.some((row) => row.name === file.name && row.hash === file.hash),
  )
  if (missing.length > 0)
    throw new Error(
      `the database lacks ${missing.map((file) => file.name).join(', ')} in the form that this version needs: run \`npm run migrate\``,
    )
}
