import { randomInt } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Pool } from 'pg'
import { lockLiveness } from './lease.sql.ts'

/** An engine that finds our lock free waits longer than this before it talks to a dialer (`quietMs`). By then we have released ours. */
const goneAfterMs = 2000
const againMs = 250
/** How often it is noticed that this process runs, and after how long without that it has stood still. */
const beatMs = 250
const stillMs = 2000

/**
 * Shows other engines that this one lives, by an advisory lock on a connection of its own. When the process dies, its kernel closes the
 * connection and PostgreSQL frees the lock at once. Each start uses a new number, so that no engine is mistaken for an earlier one with its
 * name.
 * - held
 * - lost: nothing may begin. New connections are tried until the lock is held again, or `ended`.
 */
export class Liveness {
  readonly key = randomInt(1, 2 ** 47)
  /** The lock is held again, after another engine could have acted. */
  readonly regained = new EventEmitter<{ regained: [] }>()
  /** Resolves when the lock was held for the first time, or was ended before. */
  readonly begun: Promise<void>
  #hasBegun: () => void = () => undefined
  readonly #pool: Pool
  readonly #log: Logger
  readonly #shutdown = new AbortController()
  readonly #keeping: Promise<void>
  #letGo: (() => void) | null = null
  #heldSince: number | null = null
  #lostAt = performance.now()
  #isFirst = true
  #beatAt = performance.now()
  #wokeAt = -Infinity
  readonly #beat = setInterval(() => this.#notice(), beatMs).unref()

  constructor(pool: Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
    this.regained.setMaxListeners(0)
    this.begun = new Promise((resolve) => (this.#hasBegun = resolve))
    this.#keeping = this.#keep()
  }

  get held(): boolean {
    return this.#heldSince !== null
  }

  /** Monotonic. Null while the lock is lost. */
  get heldSince(): number | null {
    return this.#heldSince
  }

  /** It was never lost, or has been held again for long enough that others whose locks were lost with it hold theirs too. */
  get isSteady(): boolean {
    return this.#heldSince !== null && (this.#isFirst || performance.now() - this.#heldSince > goneAfterMs)
  }

  /** Monotonic: from when on another engine may act, because the lock is lost. Infinity while it is held. */
  get goneAt(): number {
    return this.held ? Infinity : this.#lostAt + goneAfterMs
  }

  /** Monotonic: when this process last went on after it had stood still for so long that it may have missed what other engines did. */
  get wokeAt(): number {
    this.#notice() // after a standstill, nobody may act before it is noticed
    return this.#wokeAt
  }

  #notice(): void {
    const now = performance.now()
    if (now - this.#beatAt > stillMs) this.#wokeAt = now
    this.#beatAt = now
  }

  /** Frees the lock, so that others may take our dialers. */
  async end(): Promise<void> {
    this.#shutdown.abort()
    clearInterval(this.#beat)
    this.#hasBegun()
    if (!this.#letGo) return // a connection that comes too late is closed then
    this.#letGo()
    await this.#keeping
  }

  async #keep(): Promise<void> {
    const { signal } = this.#shutdown
    for (let loggedLoss: number | null = null; !signal.aborted;) {
      try {
        await this.#holdOnce()
      } catch (error) {
        const isFirstReport = loggedLoss !== this.#lostAt // once for each time that it was lost
        if (isFirstReport && !signal.aborted)
          this.#log.warn({ error }, 'the connection that shows that this engine lives is lost')
        loggedLoss = this.#lostAt
      }
      await sleep(againMs, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Resolves on shutdown, rejects when the connection is lost. */
  async #holdOnce(): Promise<void> {
    const client = await this.#pool.connect()
    const over = new Promise<void>((resolve, reject) => {
      this.#letGo = resolve
      client.on('error', reject)
      client.on('end', () => reject(new Error('it was closed')))
    })
    over.catch(() => undefined)
    try {
      if (this.#shutdown.signal.aborted) return
      if (!(await lockLiveness(client, this.key))) throw new Error('its lock is held by the connection before')
      this.#heldSince = performance.now()
      this.#hasBegun()
      this.regained.emit('regained')
      await over
    } finally {
      if (this.held) {
        this.#lostAt = performance.now()
        this.#isFirst = false
      }
      this.#heldSince = null
      this.#letGo = null
      client.release(true) // with its connection the lock is free
    }
  }
}
