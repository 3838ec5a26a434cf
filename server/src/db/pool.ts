import assert from 'node:assert/strict'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Client, Pool, TypeOverrides } from 'pg'
import type { Db } from './db.ts'
import { DatabaseClient, type DatabaseClientConfig } from './servers/client.ts'
import type { DB } from './tables.ts'

export type PoolOptions = {
  connectionString: string
  max: number
  /** Shown in pg_stat_activity. */
  name: string
  /** More startup options: '-c plan_cache_mode=force_generic_plan'. */
  options?: string
  /** Migrations and administration run as the login itself; everything else runs as ghanti_app, which cannot change the past. */
  asOwner?: boolean
  /** The URL names a replica, which accepts no writes; everything else connects to the primary alone. */
  isReplica?: boolean
}

/** A request's statement that takes longer is ended: far above what any takes, and within the minute that proxies wait. Exports have pools without it. */
export const requestPoolOptions = '-c statement_timeout=30s'

function wholeNumber(text: string): number {
  const value = Number(text)
  assert(Number.isSafeInteger(value), `${text} is beyond the whole numbers that can be counted exactly`)
  return value
}

/** int8 as a number, asserted to be safe (money, ids and phone numbers all are); numeric (a sum of int8) as a number; date as 'yyyy-MM-dd'. */
const typeParsers = new TypeOverrides()
typeParsers.setTypeParser(20, wholeNumber)
typeParsers.setTypeParser(1016, (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(wholeNumber)))
typeParsers.setTypeParser(1700, Number)
typeParsers.setTypeParser(1082, String)

export function clientConfig(options: Omit<PoolOptions, 'max'>): DatabaseClientConfig {
  return {
    connectionString: options.connectionString,
    application_name: options.name,
    options: `${options.asOwner ? '' : '-c role=ghanti_app '}-c timezone=UTC ${options.options ?? ''}`.trim(),
    types: typeParsers,
    keepAlive: true,
  }
}

/** For a thread: to the primary, or to the replica that its settings name. */
export function newClient(options: Omit<PoolOptions, 'max'>): Client {
  const config = clientConfig(options)
  return options.isReplica ? new Client(config) : new DatabaseClient(config)
}

function ignore(): void {}

/** Creates a pool. Lost idle connections are reported to `onError`; the next query opens a new one. */
export function openPool(options: PoolOptions, onError: (error: Error) => void): Pool {
  const config = clientConfig(options)
  const OurClient = class extends DatabaseClient {
    constructor() {
      super(config)
    }
  }
  const pool = new Pool({ ...config, max: options.max, ...(!options.isReplica && { Client: OurClient }) })
  pool.on('error', onError)
  // a connection that is lost while in use fails its statement; without a listener the event would end the process
  pool.on('connect', (client) => void client.on('error', ignore))
  return pool
}

export function kyselyOver(pool: Pool): Db {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

/** Throws when the database does not answer. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
