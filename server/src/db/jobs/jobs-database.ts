import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Db } from 'pg-boss'
import { clientConfig, openPool, type PoolOptions } from '../pool.ts'
import { DatabaseClient } from '../servers/client.ts'

const againMs = 1000
/** The listening connection sends nothing by itself: only the kernel can find out that the other side is gone. */
const keepAliveInitialDelayMillis = 10_000

/** The job queue's connections, which follow the database's primary; pg-boss's own know one server. */
export class JobsDatabase implements Db {
  readonly #options: PoolOptions
  readonly #lost: (error: Error) => void
  readonly #pool: Pool

  constructor(options: PoolOptions, lost: (error: Error) => void) {
    this.#options = options
    this.#lost = lost
    this.#pool = openPool(options, lost)
  }

  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    return this.#pool.query(text, values)
  }

  /** Listens until the handle is closed, over one connection after the other. `listening`: something may have been missed before. */
  async listen(
    channel: string,
    notified: (payload: string) => void,
    listening: () => void,
  ): Promise<{ close(): Promise<void> }> {
    const ending = new AbortController()
    const { signal } = ending
    const keep = async (): Promise<void> => {
      while (!signal.aborted) {
        await this.#listenOnce(channel, notified, listening, signal).catch((error: Error) => this.#lost(error))
        await sleep(againMs, undefined, { signal }).catch(() => {})
      }
    }
    const keeping = keep()
    return {
      async close() {
        ending.abort()
        await keeping
      },
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  /** Resolves on shutdown, rejects when the connection is lost. */
  async #listenOnce(
    channel: string,
    notified: (payload: string) => void,
    listening: () => void,
    signal: AbortSignal,
  ): Promise<void> {
    const client = new DatabaseClient({ ...clientConfig(this.#options), keepAliveInitialDelayMillis })
    const over = new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
      client.on('error', reject)
      client.on('end', () => reject(new Error('the connection that listens for jobs was closed')))
    })
    over.catch(() => {})
    client.on('notification', ({ payload }) => void (payload !== undefined && notified(payload)))
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
      listening()
      await over
    } finally {
      await client.end()
    }
  }
}
