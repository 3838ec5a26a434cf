import * as path from 'node:path'
import { Client } from 'pg'
import type { Config } from '../config.ts'
import { startPostgres } from './pg-local.ts'

/** `url` is the owner's when embedded. */
export type OpenDatabase = { url: string; close(): Promise<void> }

const embeddedName = 'ghanti'

/** The database of DATABASE_URL, or an embedded one below the data folder, started or adopted. */
export async function openDatabase(config: Config, onLost: (reason: Error) => void): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, close: async () => {} }
  const postgres = await startPostgres({ folder: path.join(config.dataFolder, 'postgres'), onLost })
  try {
    await createIfMissing(postgres.url(), embeddedName)
  } catch (error) {
    await postgres.stop()
    throw error
  }
  return { url: postgres.url(embeddedName), close: () => postgres.stop() }
}

async function createIfMissing(adminUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query("select pg_advisory_lock(hashtext('ghanti create database'))")
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

/** Held as long as the answered function is not called; two servers on one data folder would share its simulator's record. */
export async function holdAlone(config: Config, url: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url, application_name: 'ghanti-alone', keepAlive: true })
  client.on('error', () => {}) // the server went away: onLost says so
  await client.connect()
  const { rows } = await client.query<{ mine: boolean }>(
    "select pg_try_advisory_lock(hashtext('ghanti alone')) as mine",
  )
  if (!rows[0]?.mine) {
    await client.end()
    throw new Error(
      `Ghanti runs already on ${config.dataFolder}: stop it first, or start this one with another DATA_FOLDER and PORT`,
    )
  }
  return () => client.end()
}
