import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { startPostgres, type LocalPostgres } from './embedded/pg-local.ts'

/** `url` is the owner's when the database is embedded. */
export type OpenDatabase = { url: string; close(): Promise<void> }

export const embeddedName = 'ghanti'
const againMs = 1000

/**
 * Opens the database of DATABASE_URL, or starts or adopts an embedded one below the data folder. With a log, an embedded one that goes away is
 * started again at the same address. `onLost`: it went away, or cannot be restarted there.
 */
export async function openDatabase(
  config: Config,
  onLost: (reason: Error) => void,
  log: Logger | null = null,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, close: async () => {} }
  const embedded = new Embedded(path.join(config.dataFolder, 'postgres'), onLost, log)
  const postgres = await embedded.start()
  try {
    await createIfMissing(postgres.url(), embeddedName)
  } catch (error) {
    await embedded.close()
    throw error
  }
  return { url: postgres.url(embeddedName), close: () => embedded.close() }
}

/** A PostgreSQL of this process's own, until it is closed. */
class Embedded {
  readonly #folder: string
  readonly #log: Logger | null
  readonly #onLost: (reason: Error) => void
  #postgres: LocalPostgres | null = null
  #restarting: Promise<void> | null = null
  #closed = false

  constructor(folder: string, onLost: (reason: Error) => void, log: Logger | null) {
    this.#folder = folder
    this.#log = log
    this.#onLost = onLost
  }

  async start(): Promise<LocalPostgres> {
    this.#postgres = await startPostgres({ folder: this.#folder, onLost: (reason) => this.#lost(reason) })
    return this.#postgres
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#restarting
    await this.#postgres?.stop()
  }

  #lost(reason: Error): void {
    if (this.#closed) return
    if (!this.#log) return this.#onLost(reason)
    this.#log.error({ error: reason }, 'the database went away; starting it again')
    this.#restarting ??= this.#restart(this.#log, this.#postgres?.url()).finally(() => (this.#restarting = null))
  }

  async #restart(log: Logger, url: string | undefined): Promise<void> {
    while (!this.#closed) {
      try {
        const postgres = await this.start()
        if (postgres.url() !== url) this.#onLost(new Error('the database is at another port now: its own was taken'))
        else log.warn('the database can be reached again')
        return
      } catch (error) {
        log.error({ error }, 'the database could not be started; trying again')
      }
      await sleep(againMs)
    }
  }
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

/**
 * Holds the data folder until the answered function is called, and again after the database went away, because two servers on one data folder
 * would share its simulator's record. `onTaken`: another process was faster then.
 */
export async function holdAlone(
  config: Config,
  url: string,
  onTaken: (reason: Error) => void,
): Promise<() => Promise<void>> {
  const taken = new Error(
    `Ghanti runs already on ${config.dataFolder}: stop it first, or start this one with another DATA_FOLDER and PORT`,
  )
  const held: { client: Client | null; released: boolean } = { client: null, released: false }
  const hold = async (): Promise<boolean> => {
    const client = new Client({ connectionString: url, application_name: 'ghanti-alone', keepAlive: true })
    client.on('error', () => {}) // the `end` event follows
    await client.connect()
    const { rows } = await client.query<{ mine: boolean }>(
      "select pg_try_advisory_lock(hashtext('ghanti alone')) as mine",
    )
    if (!rows[0]?.mine || held.released) {
      await client.end()
      return held.released
    }
    held.client = client
    client.once('end', () => void holdAgain())
    return true
  }
  const holdAgain = async (): Promise<void> => {
    while (!held.released) {
      const mine = await hold().catch(() => null)
      if (mine === false) onTaken(taken)
      if (mine !== null) return
      await sleep(againMs)
    }
  }
  if (!(await hold())) throw taken
  return async () => {
    held.released = true
    await held.client?.end()
  }
}
