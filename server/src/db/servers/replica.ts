/** Lists that may be seconds old are read from a replica of the database (docs/adr/57). */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { codeOf } from '../../lib/error-code.ts'
import { isDatabaseUnreachable } from './unreachable.ts'
import type { Db } from '../db.ts'
import { kyselyOver, openPool, requestPoolOptions } from '../pool.ts'

const beatEveryMs = 1000
/** A replica that is silent for this long counts as gone. */
const answerMs = 2000
/** What a thread waits for: the replica has everything that was committed before. */
const caughtUpMs = 5000
const lookAgainMs = 50
/** Replaying the primary's changes ended a query of the replica. */
const conflictWithRecovery = '40001'

export type ReadFrom = { databaseUrl: string; isReplica: boolean }

export type ReplicaOptions = {
  url: string
  primaryUrl: string
  primary: Db
  behindMsMax: number
  poolMax: number
  log: Logger
}

export class Replica {
  readonly #options: ReplicaOptions
  readonly #pool: Pool
  readonly #db: Db
  readonly #ending = new AbortController()
  readonly #beating: Promise<void>
  /** Monotonic: the replica shows everything that was committed before. */
  #asOf = -Infinity
  #wasFresh = false

  constructor(options: ReplicaOptions) {
    const { url, poolMax, log } = options
    this.#options = options
    const of = {
      connectionString: url,
      max: poolMax,
      name: 'ghanti-replica',
      isReplica: true,
      options: requestPoolOptions,
    }
    this.#pool = openPool(of, (error) => log.warn({ error }, 'a connection to the replica was lost'))
    this.#db = kyselyOver(this.#pool)
    this.#beating = this.#beat()
  }

  get isFresh(): boolean {
    return performance.now() - this.#asOf <= this.#options.behindMsMax
  }

  /** `work` must only read. It reads from the primary while the replica is not fresh, and once more there when the replica fails. */
  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    if (!this.isFresh) return await work(this.#options.primary)
    try {
      return await work(this.#db)
    } catch (error) {
      if (!isOfReplica(error)) throw error
      if (isDatabaseUnreachable(error)) this.#asOf = -Infinity
      this.#options.log.warn({ error }, 'the replica failed, so the primary was read')
      return await work(this.#options.primary)
    }
  }

  /** For a file that somebody keeps: the replica once it has everything that is committed now, else the primary. */
  async forThread(): Promise<ReadFrom> {
    const { url, primaryUrl } = this.#options
    if (this.isFresh) {
      const beat = await this.#next()
      for (const until = performance.now() + caughtUpMs; performance.now() < until; await sleep(lookAgainMs)) {
        const shown = await this.#shown().catch(() => null)
        if (shown === null) break
        if (shown >= beat) return { databaseUrl: url, isReplica: true }
      }
    }
    return { databaseUrl: primaryUrl, isReplica: false }
  }

  async close(): Promise<void> {
    this.#ending.abort()
    await this.#beating
    await this.#pool.end()
  }

  async #beat(): Promise<void> {
    const { signal } = this.#ending
    const { log } = this.#options
    const sent: { beat: number; at: number }[] = []
    while (!signal.aborted) {
      try {
        const shown = await this.#shown()
        const at = performance.now()
        const beat = await this.#next()
        // Ahead of the primary, or of another database: it follows something else.
        if (shown >= beat) this.#asOf = -Infinity
        else this.#asOf = sent.findLast((one) => one.beat <= shown)?.at ?? this.#asOf
        sent.push({ beat, at })
        if (sent.length > 60) sent.shift()
      } catch (error) {
        if (this.#wasFresh && !signal.aborted) log.warn({ error }, 'the replica cannot be asked')
      }
      if (this.isFresh !== this.#wasFresh) {
        this.#wasFresh = this.isFresh
        log.warn(
          this.#wasFresh
            ? 'lists are read from the replica'
            : 'lists are read from the primary: the replica is away or behind',
        )
      }
      await sleep(beatEveryMs, undefined, { signal }).catch(() => {})
    }
  }

  async #next(): Promise<number> {
    const { rows } = await sql<{ beat: number }>`
      insert into replica_beat as b (beat) values (1) on conflict (one) do update set beat = b.beat + 1 returning beat`.execute(
      this.#options.primary,
    )
    return rows[0]?.beat ?? 0
  }

  async #shown(): Promise<number> {
    const asked = sql<{ beat: number }>`select beat from replica_beat`.execute(this.#db)
    asked.catch(() => {})
    const { rows } = await Promise.race([asked, sleep(answerMs, null, { ref: false }).then(noAnswer)])
    return rows[0]?.beat ?? 0
  }
}

function noAnswer(): never {
  throw Object.assign(new Error('the replica does not answer'), { code: '08006' })
}

function isOfReplica(error: unknown): boolean {
  return isDatabaseUnreachable(error) || codeOf(error) === conflictWithRecovery
}
