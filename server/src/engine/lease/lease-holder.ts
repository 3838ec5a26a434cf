import assert from 'node:assert/strict'
import type { Logger } from 'pino'
import type { Liveness } from './liveness.ts'
import { untilNext } from '../../lib/every-multiple.ts'

export type LeaseOptions<Held> = {
  log: Logger
  of: Record<string, number>
  leaseMs: number
  liveness: Liveness
  /** Null: another engine holds it. `quietMs`: for how long nothing may be sent, since commands of the last holder may still arrive. */
  take(): Promise<{ lease: Held; quietMs: number } | null>
  /** False: another engine has it. */
  renew(lease: Held): Promise<boolean>
  /** `to`: the engine that it is meant for, by its lock; null: any. */
  release(lease: Held, to: number | null): Promise<void>
}

/** No call begins when less than this is left of the lease, by our own monotonic clock. */
const marginMs = 2000
const renewalsPerLease = 5

/**
 * Our lease of a dialer or a gateway, renewed until it is lost or released. Our liveness lock is held meanwhile. If that lock was lost for a
 * moment, nothing begins until a renewal has shown that nobody took the lease.
 */
export class LeaseHolder<Held> {
  readonly lease: Held
  readonly #options: LeaseOptions<Held>
  #timer: NodeJS.Timeout | null = null
  /** Monotonic: before this time, nothing is sent to the dialer. */
  readonly quietUntil: number
  /** Monotonic: nobody has dialled there since. */
  readonly quietSince: number
  /** The lease has not been renewed since we got our lock back. */
  #mustRenewFirst = false
  /** Monotonic; taken before the request that renewed the lease, so never later than the end in the database. */
  #validUntil: number
  #lost: string | null = null
  #isLeaving = false

  private constructor(
    { lease, quietMs }: { lease: Held; quietMs: number },
    askedAt: number,
    options: LeaseOptions<Held>,
  ) {
    this.lease = lease
    this.#options = options
    this.#validUntil = askedAt + options.leaseMs
    this.quietSince = performance.now()
    this.quietUntil = this.quietSince + quietMs
    options.liveness.regained.on('regained', this.#renewFirst)
    this.#renewLater()
  }

  /** Null: another engine holds it. */
  static async take<Held>(options: LeaseOptions<Held>): Promise<LeaseHolder<Held> | null> {
    assert(options.leaseMs > marginMs, `a lease of ${options.leaseMs} ms leaves no time for calls or messages`)
    const asked = performance.now()
    const taken = await options.take()
    return taken && new LeaseHolder(taken, asked, options)
  }

  get safe(): boolean {
    const mayBegin = this.#options.liveness.held && !this.#mustRenewFirst
    return this.lost === null && mayBegin && performance.now() < this.#validUntil - marginMs
  }

  /** Why the lease is not ours any more. Null while it is. */
  get lost(): string | null {
    if (this.#lost === null && performance.now() >= this.#validUntil) this.lose('it could not be renewed in time')
    if (this.#lost === null && this.#options.liveness.gone)
      this.lose('the database does not see that this engine lives')
    return this.#lost
  }

  /** It is about to be given up: what was begun goes on, and nothing new begins. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  leave(): void {
    this.#isLeaving = true
  }

  lose(why: string): void {
    this.#lost ??= why
    if (this.#timer) clearTimeout(this.#timer)
    this.#options.liveness.regained.off('regained', this.#renewFirst)
  }

  /** Releases the lease, so that the next holder need not wait. Where the database does not answer, the lease runs out by itself. */
  async giveUp(to: number | null = null): Promise<void> {
    if (this.lost !== null) return
    this.lose('it was given up')
    const { log, of, release } = this.#options
    await release(this.lease, to).catch((error: unknown) => log.warn({ error, ...of }, 'a lease could not be released'))
  }

  readonly #renewFirst = (): void => {
    this.#mustRenewFirst = true
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
    const { of, log, leaseMs, liveness, renew } = this.#options
    const heldSince = liveness.heldSince
    try {
      if (await renew(this.lease)) {
        this.#validUntil = Math.max(this.#validUntil, asked + leaseMs)
        if (heldSince !== null && heldSince === liveness.heldSince) this.#mustRenewFirst = false
      } else this.lose('somebody else has it')
    } catch (error) {
      log.warn({ error, ...of }, 'the lease could not be renewed; trying again')
    }
  }
}
