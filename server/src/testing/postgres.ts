/** The tests' own PostgreSQL: one server for every run of this checkout, one migrated template database, clones of it. */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { Client } from 'pg'
import { defineLogin } from '../db/schema/login.ts'
import { migrate, migrationsHash } from '../db/schema/migrate.ts'
import { linkedHomes } from '../db/embedded/pg-local-home.ts'
import { startPostgres, testSettings, type LocalPostgres } from '../db/embedded/pg-local.ts'
import { removeAbandoned } from './abandoned.ts'
import { folderInMemory, memory } from './memory.ts'

const checkout = path.resolve(import.meta.dirname, '../../..')
const dayMs = 24 * 3600_000

/** In memory where there is plenty of it: a clone is 1,276 files, which take 25 ms of CPU there, and 115 ms or more on a disk. */
const folderOfTests = (): string => path.join(folderInMemory() ?? path.join(checkout, '.ghanti/test'), 'postgres')

/** The login of the tests' processes, with the owner's password. */
export const testLogin = 'ghanti_test'

export type TestPostgres = LocalPostgres & { template: string }

export async function startTestPostgres(): Promise<TestPostgres> {
  await removeAbandoned(linkedHomes, memory)
  const postgres = await startPostgres({ folder: folderOfTests(), settings: testSettings })
  const template = `template_${templateHash().slice(0, 16)}`
  const client = new Client({ connectionString: postgres.url() })
  await client.connect()
  try {
    await client.query("select pg_advisory_lock(hashtext('ghanti test template'))")
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount === 0) {
      const draft = `${template}_draft` // renamed when it is complete, so that a killed run leaves no half template
      await client.query(`drop database if exists ${draft} with (force)`)
      await client.query(`create database ${draft}`)
      await migrate(postgres.url(draft))
      await tidied(postgres.url(draft))
      await client.query(`alter database ${draft} rename to ${template}`)
    }
    const { rowCount: logins } = await client.query('select from pg_roles where rolname = $1', [testLogin])
    if (logins === 0) await defineLogin(postgres.url(), { name: testLogin, password: new URL(postgres.url()).password })
    await dropOld(client, template)
  } finally {
    await client.end()
  }
  return { ...postgres, template }
}

/** Changes with all that makes the template. */
function templateHash(): string {
  const hash = createHash('sha256').update(migrationsHash())
  for (const source of [import.meta.filename, path.join(checkout, 'server/src/db/jobs/queues.ts')])
    hash.update(fs.readFileSync(source))
  return hash.digest('hex')
}

/**
 * Each connection to a clone reads the catalogues, in which the migrations leave dead rows. What every connection needs of them is in a file that
 * the first one writes, and a clone has it from the template.
 */
async function tidied(url: string): Promise<void> {
  for (const statements of [vacuumed, async () => {}]) {
    const client = new Client({ connectionString: url })
    await client.connect()
    await statements(client)
    await client.end()
  }
}

async function vacuumed(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = 'pg_catalog'::regnamespace and relkind = 'r' and not relisshared`,
  )
  for (const { name } of rows) await client.query(`vacuum (freeze, analyze) ${name}`)
}

/** Drops databases that killed runs and earlier migrations left, a day old or more, so that a run beside this one keeps its own. */
async function dropOld(client: Client, template: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where datname ~ '^(template_[0-9a-f]|test_)' and datname <> $1
      and (pg_stat_file('base/' || oid || '/PG_VERSION', true)).modification < now() - $2 * interval '1 ms'`,
    [template, dayMs],
  )
  for (const { datname } of rows)
    await client.query(`drop database if exists ${client.escapeIdentifier(datname)} with (force)`)
}
