import assert from 'node:assert/strict'
import type { Logger } from 'pino'
import type { Liveness } from './liveness.ts'
import { untilNext } from '../../lib/every-multiple.ts'

export type LeaseOptions<Held> = {
  log: Logger
  of: Record<string, number>
  leaseMs: number
  liveness: Pick<Liveness, 'held' | 'heldSince' | 'goneAt' | 'wokeAt' | 'regained'>
  /** Null: another engine holds it. `quietMs`: for how long nothing may be sent, since commands of the last holder may still arrive. */
  take(): Promise<{ lease: Held; quietMs: number } | null>
  /** False: another engine has it. */
  renew(lease: Held): Promise<boolean>
  /** `to`: the engine that it is meant for, by its lock; null: any. */
  release(lease: Held, to: number | null): Promise<void>
  /** Whether we hear at once when another engine takes over. Left out: never, so a lease that may be another's is lost. */
  hearsOfOthers?(): boolean
}

/** No call begins when less than this is left of the lease, by our own monotonic clock. */
const marginMs = 2000
const renewalsPerLease = 5

/**
 * Our lease of a dialer or a gateway, renewed until it is lost or released:
 * - held
 * - away: our liveness lock is lost, or the lease could not be renewed. Nothing begins until a renewal has shown that nobody took the lease.
 *   What was begun goes on as long as we would hear of another engine that took it (docs/adr/80).
 * - lost, for good
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
  readonly #renewals = new Set<Promise<void>>()

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
    return !this.isAway && performance.now() < this.#validUntil - marginMs
  }

  /** The database does not show that the lease is ours: nothing may begin. */
  get isAway(): boolean {
    return !this.isValid || !this.#options.liveness.held || this.#mustRenewFirst
  }

  /** It has not run out, so what we write counts unless another engine has taken it. Once it has run out, nothing that we write counts. */
  get isValid(): boolean {
    return this.lost === null && performance.now() < this.#validUntil
  }

  /** Why the lease is not ours any more. Null: it is, or nothing says that it is another's. */
  get lost(): string | null {
    const reason = this.#lost === null ? this.#reasonToLose() : null
    if (reason !== null) this.lose(reason)
    return this.#lost
  }

  #reasonToLose(): string | null {
    const { liveness, hearsOfOthers } = this.#options
    const now = performance.now()
    const doubtfulSince = Math.min(this.#validUntil, liveness.goneAt)
    if (now < doubtfulSince) return null
    if (!hearsOfOthers)
      return now < this.#validUntil
        ? 'the database does not see that this engine lives'
        : 'it could not be renewed in time'
    if (!hearsOfOthers()) return 'neither the database nor the dialer says whose it is'
    return liveness.wokeAt > doubtfulSince ? 'this engine stood still, and another one may have it' : null
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
    await Promise.all(this.#renewals) // one that arrived later would take it back
    await release(this.lease, to).catch((error: unknown) => log.warn({ error, ...of }, 'a lease could not be released'))
  }

  readonly #renewFirst = (): void => {
    this.#mustRenewFirst = true
    this.#renewNow()
  }

  #renewLater(): void {
    this.#timer = setTimeout(
      () => {
        this.#renewLater()
        this.#renewNow()
      },
      untilNext(this.#options.leaseMs / renewalsPerLease),
    )
  }

  #renewNow(): void {
    const renewal = this.#renew().finally(() => this.#renewals.delete(renewal))
    this.#renewals.add(renewal)
  }

  async #renew(): Promise<void> {
    const asked = performance.now()
    const { of, log, leaseMs, liveness, renew } = this.#options
    const heldSince = liveness.heldSince
    try {
      if (await renew(this.lease)) {
        const wasAway = this.isAway
        this.#validUntil = Math.max(this.#validUntil, asked + leaseMs)
        if (heldSince !== null && heldSince === liveness.heldSince) this.#mustRenewFirst = false
        if (wasAway && !this.isAway) log.info(of, 'the database is back, and nobody took the lease')
      } else this.lose('another engine has it, or it was deleted')
    } catch (error) {
      if (!this.isAway) log.warn({ error, ...of }, 'the lease could not be renewed; trying again')
    }
  }
}
