import type { Logger } from 'pino'
import { DownLog } from './down-log.ts'
import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import { messageOf } from '../../../lib/error-code.ts'
import type { LeaseHolder } from '../../../dispatch/lease/lease-holder.ts'

const reconnectMs = 2000

/** The dialer whose connection it is. */
export type LinkedDialer = {
  open(): Promise<DialerConnection>
  /** The connection is new: adopts the calls that live there. Resolves when calls may begin. */
  connected(connection: DialerConnection): Promise<void>
  /** The connection had a gap: compares our calls with those that live there. Resolves when calls may begin. */
  reconnected(connection: DialerConnection): Promise<void>
  failed(reason: string): void
}

/** Nothing may be sent to the dialer before it is quiet, nor once the lease is lost. */
type Holder = Pick<LeaseHolder<unknown>, 'quietUntil' | 'lost'>

/**
 * The connection to one dialer:
 * - up: calls may begin
 * - down: the dialer is silent, calls may go on there, and none begins
 * - returning: the dialer answers again, and calls are being compared; still down for everybody else
 * - closed
 */
export class DialerLink {
  readonly #dialer: LinkedDialer
  readonly #holder: Holder
  readonly #log: Logger
  readonly #downLog: DownLog
  /** `since`: monotonic; earlier than our lease when the dialer was silent already. Null: the dialer answers. */
  #down: { since: number; reason: string } | null
  #connection: DialerConnection | null = null
  #newest: DialerConnection | null = null
  #connecting: Promise<void> | null = null
  #triedAt = -Infinity
  #returning = false
  #closed = false

  /** `silentMs`: for how long the dialer had been silent when this engine took it. */
  constructor(dialer: LinkedDialer, holder: Holder, log: Logger, silentMs: number) {
    this.#dialer = dialer
    this.#holder = holder
    this.#log = log
    this.#downLog = new DownLog(log)
    this.#down = { since: performance.now() - silentMs, reason: 'it is being connected' }
  }

  get down(): { since: number; reason: string } | null {
    return this.#down
  }

  /** Null: none is open. The dialer may be silent all the same. */
  get connection(): DialerConnection | null {
    return this.#connection
  }

  get up(): DialerConnection | null {
    return this.#down ? null : this.#connection
  }

  /** The newest connection, even when it is gone: commands of calls are then lost, as they are while a connection breaks. */
  get newest(): DialerConnection | null {
    return this.#newest
  }

  get isReturning(): boolean {
    return this.#down !== null && this.#returning
  }

  /** The dialer is silent, a connection was tried, and it is not about to come back. */
  get isGone(): boolean {
    return this.#down !== null && this.#triedAt > -Infinity && !this.#returning
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** Resolves when the dialer is connected, or could not be. */
  async ensureConnected(): Promise<void> {
    if (this.#connecting) return this.#connecting
    const now = performance.now()
    const tooSoon = now < this.#holder.quietUntil || now - this.#triedAt < reconnectMs
    if (this.#connection || this.#closed || tooSoon) return
    this.#triedAt = now
    this.#connecting = this.#connect()
      .catch(async (error: unknown) => {
        const failed = this.#connection
        this.#connection = null
        this.#wentDown(messageOf(error), error)
        await failed?.close() // otherwise the next connection would seem to have taken the dialer from it
      })
      .finally(() => {
        this.#connecting = null
        this.#returning = false
      })
    await this.#connecting
  }

  async #connect(): Promise<void> {
    const connection = await this.#dialer.open()
    if (this.#closed) return await connection.close()
    this.#connection = connection
    this.#newest = connection
    this.#returning = true
    await this.#dialer.connected(connection)
    this.#isUp()
  }

  /** The dialer has gone silent. */
  lost(reason: string): void {
    this.#wentDown(reason)
  }

  /** The dialer answers again over the same connection. */
  async restored(): Promise<void> {
    const connection = this.#connection
    if (!connection || this.#closed || this.#holder.lost !== null) return
    this.#returning = true
    try {
      await this.#dialer.reconnected(connection)
      this.#isUp()
    } catch (error) {
      this.#log.error({ error }, 'the dialer did not answer after a gap; connecting again')
      await connection.close()
      this.#connection = null
      void this.ensureConnected()
    } finally {
      this.#returning = this.#connecting !== null && this.#connection !== null
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#connecting
    await this.#connection?.close()
  }

  #isUp(): void {
    this.#down = null
    this.#downLog.answers()
  }

  #wentDown(reason: string, error?: unknown): void {
    this.#down = { since: this.#down?.since ?? performance.now(), reason }
    this.#dialer.failed(reason)
    this.#downLog.failed(reason, error)
  }
}
