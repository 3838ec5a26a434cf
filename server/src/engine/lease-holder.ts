import assert from 'node:assert/strict'
import type { Logger } from 'pino'
import { releaseLease, renew, takeover } from './dispatch-lease.sql.ts'
import { untilNext } from './every.ts'
import type { Lease, Queryable } from './statement.ts'

export type LeaseOptions = {
  db: Queryable
  log: Logger
  dialerId: number
  engineId: string
  leaseMs: number
  /** Together with others; false: it was not, and is by itself. */
  renewTogether(lease: Lease): Promise<boolean>
}

/** No call is begun when less than this is left of the lease, by our own monotonic clock. */
const marginMs = 2000
const renewalsPerLease = 5

/** A dialer's lease that is ours, renewed until it is lost or given up. */
export class LeaseHolder {
  readonly lease: Lease
  readonly #options: LeaseOptions
  #timer: NodeJS.Timeout | null = null
  /** Monotonic; from before the request that got it, so never later than the database's end. */
  #validUntil: number
  #lost: string | null = null

  private constructor(lease: Lease, validUntil: number, options: LeaseOptions) {
    this.lease = lease
    this.#options = options
    this.#validUntil = validUntil
    this.#renewLater()
  }

  /** Null: it is somebody else's. */
  static async take(options: LeaseOptions): Promise<LeaseHolder | null> {
    assert(options.leaseMs > marginMs, `a lease of ${options.leaseMs} ms leaves no time for calls`)
    const asked = performance.now()
    const lease = await takeover(options.db, options.dialerId, options.engineId, options.leaseMs)
    return lease && new LeaseHolder(lease, asked + options.leaseMs, options)
  }

  /** May a call be begun? */
  get safe(): boolean {
    return this.#lost === null && performance.now() < this.#validUntil - marginMs
  }

  /** Why the lease is not ours any more; null while it is. */
  get lost(): string | null {
    if (this.#lost === null && performance.now() >= this.#validUntil) this.lose('it could not be renewed in time')
    return this.#lost
  }

  lose(why: string): void {
    this.#lost ??= why
    if (this.#timer) clearTimeout(this.#timer)
  }

  /** The next holder need not wait. */
  async giveUp(): Promise<void> {
    if (this.lost !== null) return
    this.lose('it was given up')
    await releaseLease(this.#options.db, this.lease)
  }

  #renewLater(): void {
    this.#timer = setTimeout(
      () => {
        this.#renewLater()
        void this.#renew()
      },
      untilNext(this.#options.leaseMs / renewalsPerLease),
    )
  }

  async #renew(): Promise<void> {
    const asked = performance.now()
    try {
      const { db, leaseMs, renewTogether } = this.#options
      if ((await renewTogether(this.lease)) || (await renew(db, this.lease, leaseMs)))
        this.#validUntil = asked + leaseMs
      else this.lose('somebody else has it')
    } catch (error) {
      this.#options.log.warn({ error, dialerId: this.lease.dialerId }, 'the lease could not be renewed, tried again')
    }
  }
}
