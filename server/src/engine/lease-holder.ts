import assert from 'node:assert/strict'
import type { Logger } from 'pino'
import { releaseLease, renew, takeover, type Taken } from './dispatch-lease.sql.ts'
import type { Liveness } from './liveness.ts'
import { untilNext } from './every.ts'
import type { Lease, Queryable } from './statement.ts'

export type LeaseOptions = {
  db: Queryable
  log: Logger
  dialerId: number
  engineId: string
  leaseMs: number
  liveness: Liveness
  /** Together with others; false: it was not, and is by itself. */
  renewTogether(lease: Lease): Promise<boolean>
}

/** No call is begun when less than this is left of the lease, by our own monotonic clock. */
const marginMs = 2000
const renewalsPerLease = 5

/**
 * A dialer's lease that is ours, renewed until it is lost or given up. What shows that we live is held meanwhile; was it not for a moment, nothing
 * is begun until a renewal has shown that nobody took the lease then.
 */
export class LeaseHolder {
  readonly lease: Lease
  readonly #options: LeaseOptions
  #timer: NodeJS.Timeout | null = null
  /** Monotonic: before, nothing is asked of the dialer. */
  readonly quietUntil: number
  /** Nobody has dialled there since: monotonic. */
  readonly quietSince: number
  /** Since our lock was held again the lease was not renewed yet. */
  #doubtful = false
  /** Monotonic; from before the request that got it, so never later than the database's end. */
  #validUntil: number
  #lost: string | null = null

  private constructor({ quietMs, ...lease }: Taken, askedAt: number, options: LeaseOptions) {
    this.lease = lease
    this.#options = options
    this.#validUntil = askedAt + options.leaseMs
    this.quietSince = performance.now()
    this.quietUntil = this.quietSince + quietMs
    options.liveness.regained.on('regained', this.#doubt)
    this.#renewLater()
  }

  /** Null: it is somebody else's. */
  static async take(options: LeaseOptions): Promise<LeaseHolder | null> {
    assert(options.leaseMs > marginMs, `a lease of ${options.leaseMs} ms leaves no time for calls`)
    const asked = performance.now()
    const { db, dialerId, engineId, leaseMs, liveness } = options
    const taken = await takeover(db, dialerId, engineId, leaseMs, liveness.key)
    return taken && new LeaseHolder(taken, asked, options)
  }

  /** May a call be begun? */
  get safe(): boolean {
    const mayBegin = this.#options.liveness.held && !this.#doubtful
    return this.lost === null && mayBegin && performance.now() < this.#validUntil - marginMs
  }

  /** Why the lease is not ours any more; null while it is. */
  get lost(): string | null {
    if (this.#lost === null && performance.now() >= this.#validUntil) this.lose('it could not be renewed in time')
    if (this.#lost === null && this.#options.liveness.gone)
      this.lose('the database does not see that this engine lives')
    return this.#lost
  }

  lose(why: string): void {
    this.#lost ??= why
    if (this.#timer) clearTimeout(this.#timer)
    this.#options.liveness.regained.off('regained', this.#doubt)
  }

  /** The next holder need not wait. */
  async giveUp(): Promise<void> {
    if (this.lost !== null) return
    this.lose('it was given up')
    await releaseLease(this.#options.db, this.lease)
  }

  readonly #doubt = (): void => {
    this.#doubtful = true
    void this.#renew()
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
    const { db, leaseMs, liveness, renewTogether } = this.#options
    const heldSince = liveness.heldSince
    try {
      if ((await renewTogether(this.lease)) || (await renew(db, this.lease, leaseMs))) {
        this.#validUntil = Math.max(this.#validUntil, asked + leaseMs)
        if (heldSince !== null && heldSince === liveness.heldSince) this.#doubtful = false
      } else this.lose('somebody else has it')
    } catch (error) {
      this.#options.log.warn({ error, dialerId: this.lease.dialerId }, 'the lease could not be renewed, tried again')
    }
  }
}
