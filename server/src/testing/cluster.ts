/** PostgreSQL servers of their own for tests and benches: initdb and the migrations run once, and each server begins with a copy of the result. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { startPostgres, testSettings, type LocalPostgres, type PostgresOptions } from '../db/embedded/pg-local.ts'
import { lockFolder } from '../db/embedded/pg-local-process.ts'
import { embeddedName } from '../db/open.ts'
import { migrate, migrationsHash } from '../db/schema/migrate.ts'
import { folderInMemory, removeOlder } from './memory.ts'

const prefix = 'cluster-'
/** A short log is a small copy. */
const settings = { ...testSettings, min_wal_size: '32MB', max_wal_size: '64MB' }

/** A new temporary folder that PostgreSQL can reach, which runs as another user when we are root. */
export function clusterFolder(name: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `ghanti-${name}-`))
  fs.chmodSync(folder, 0o755)
  return folder
}

/** Starts a server whose database `postgres` has every migration. `folder` is in a folder of clusterFolder() and is not there yet. */
export async function startMigrated(options: PostgresOptions): Promise<LocalPostgres> {
  await layMigrated(options.folder)
  const postgres = await startPostgres(options)
  await migrate(postgres.url()) // where memory is short nothing was copied
  return postgres
}

/** Makes the folder of a server whose databases `postgres` and the embedded one's have every migration. Where memory is short it makes none. */
export async function layMigrated(folder: string): Promise<void> {
  const parent = folderInMemory()
  if (parent) await promisify(execFile)('cp', ['-a', await migratedCluster(parent), folder])
}

async function migratedCluster(parent: string): Promise<string> {
  const hash = createHash('sha256')
    .update(migrationsHash())
    .update(fs.readFileSync(import.meta.filename))
  const made = path.join(parent, `${prefix}${hash.digest('hex').slice(0, 12)}`)
  const unlock = await lockFolder(made)
  try {
    if (!fs.existsSync(made)) await make(made)
  } finally {
    await unlock()
  }
  return made
}

async function make(made: string): Promise<void> {
  removeOlder(path.dirname(made), prefix)
  const draft = `${made}.${process.pid}` // renamed when it is complete, so that a killed run leaves no half cluster
  const postgres = await startPostgres({ folder: draft, settings })
  try {
    const client = new Client({ connectionString: postgres.url() })
    await client.connect()
    await client.query(`create database ${client.escapeIdentifier(embeddedName)}`)
    await client.end()
    await migrate(postgres.url())
    await migrate(postgres.url(embeddedName))
  } finally {
    await postgres.stop()
  }
  for (const name of ['port', 'server.log']) fs.rmSync(path.join(draft, name), { force: true })
  fs.renameSync(draft, made)
}
