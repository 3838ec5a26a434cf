import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Lease, Queryable } from '../../dispatch/statement.ts'
import { saveSteps, type SavedStep } from './steps.sql.ts'
import { WriterOfDialer, type DialerOfWriter, type Waiting } from './writer-of-dialer.ts'
import { halved } from '../../dispatch/halved.ts'
import { settle } from './settle.ts'

const everyMs = 100
const batchMax = 500
const afterFailureMs = 500
/** Until an outcome is tried again that was refused by itself and yet may be accepted later. */
const afterRefusalMs = 5000
/** Outcomes of so many accounts that others have locked are waited for at once, each in a connection of its own. */
const apartMax = 2

type Step = { of: WriterOfDialer; lease: Lease; step: SavedStep }

/**
 * Writes what calls of all dialers of this engine did, in batches: first where they stand, then how they ended, one statement at a time
 * (docs/design.md#settling-in-batches). A lease that has run out lets nothing of its dialer count, so whatever was sent then is sent again once it is
 * renewed.
 */
export class Writer {
  readonly #db: Queryable
  readonly #log: Logger
  readonly #dialers = new Set<WriterOfDialer>()
  /** By account. Never rejects. */
  readonly #apart = new Map<number, Promise<void>>()
  #timer: NodeJS.Timeout | null = null
  /** Monotonic: when the timer is up. */
  #dueAt = 0
  /** Monotonic: nothing is tried before, since the database failed. */
  #pausedUntil = -Infinity
  /** Of all dialers, in the order in which they were reported. */
  #waiting: Waiting[] = []
  /** Never rejects. Answers what went wrong. */
  #writing: Promise<unknown> | null = null
  #isFailing = false

  constructor(db: Queryable, log: Logger) {
    this.#db = db
    this.#log = log
  }

  /** For a dialer whose lease we hold, until it is closed. */
  dialer(of: DialerOfWriter): WriterOfDialer {
    const dialer = new WriterOfDialer(of, {
      stepCame: () => this.#wake(everyMs),
      outcomeCame: (one) => {
        this.#waiting.push(one)
        this.#wake(this.#waiting.length >= batchMax ? 0 : everyMs)
      },
      flush: () => this.#flush(dialer),
      closed: () => {
        this.#dialers.delete(dialer)
        this.#waiting = this.#waiting.filter((one) => one.of !== dialer)
      },
    })
    this.#dialers.add(dialer)
    return dialer
  }

  async #flush(dialer: WriterOfDialer): Promise<void> {
    const reported = dialer.reported
    for (;;) {
      while (this.#writing) await this.#writing
      if (dialer.isClosed) return
      const error = await this.#run()
      const rest = reported.filter((one) => dialer.has(one))
      const refused = rest.find((one) => one.refused !== null)
      if (refused) throw refused.refused
      if (error !== null && (rest.length > 0 || dialer.steps.size > 0)) throw error
      if (rest.length === 0 || !dialer.isValid) return
      await Promise.race([...this.#apart.values(), sleep(everyMs)])
    }
  }

  #wake(inMs: number): void {
    const now = performance.now()
    const dueAt = Math.max(now + inMs, this.#pausedUntil)
    if (this.#writing || (this.#timer && this.#dueAt <= dueAt)) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => void this.#run(), dueAt - now)
  }

  /** Answers what went wrong; null: nothing. */
  async #run(): Promise<unknown> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const beganAt = performance.now()
    this.#writing = this.#write().then(
      () => {
        this.#isFailing = false
        return null
      },
      (error: unknown) => {
        this.#pausedUntil = performance.now() + afterFailureMs
        this.#failed(error)
        return error
      },
    )
    const error = await this.#writing
    this.#writing = null
    const isUnwritten = this.#next(new Set()).length > 0 || this.#steps().length > 0
    if (isUnwritten) this.#wake(Math.max(1, everyMs - (performance.now() - beganAt)))
    else if (this.#hasAny) this.#wake(afterFailureMs) // its lease has run out, or it was refused
    return error
  }

  #failed(error: unknown): void {
    if (!this.#isFailing) this.#log.error({ error }, 'calls could not be written; trying again')
    this.#isFailing = true
  }

  /** The same as long as that dialer is ours, so that counters have few rows. */
  get #slot(): number {
    const [first] = this.#dialers
    return first?.slot ?? 0
  }

  get #hasAny(): boolean {
    return this.#waiting.length > 0 || [...this.#dialers].some((dialer) => dialer.steps.size > 0)
  }

  async #write(): Promise<void> {
    const locked = new Set<number>()
    await this.#writeSteps()
    let batch = this.#next(locked)
    while (batch.length > 0) {
      for (const accountId of await this.#settle(batch, { waits: false })) {
        locked.add(accountId)
        this.#settleApart(accountId)
      }
      await this.#writeSteps() // under load there is always a next batch
      batch = this.#next(locked)
      if (batch.length < batchMax) break // what came meanwhile waits, so that batches are not small
    }
  }

  /** What can be written now, without that of some accounts. */
  #next(without: ReadonlySet<number>): Waiting[] {
    return this.#those((one) => !without.has(one.accountId) && !this.#apart.has(one.accountId))
  }

  #those(isMeant: (one: Waiting) => boolean): Waiting[] {
    const those: Waiting[] = []
    const now = performance.now()
    for (const one of this.#waiting) {
      if (those.length === batchMax) break
      if (!one.isUnderWay && one.notBefore <= now && one.of.isValid && isMeant(one)) those.push(one)
    }
    return those
  }

  /** Outcomes of an account that somebody has locked, if not too many others are waited for already. */
  #settleApart(accountId: number): void {
    if (this.#apart.size >= apartMax) return
    const batch = this.#those((one) => one.accountId === accountId)
    const settled = this.#settle(batch, { waits: true }).then(
      () => everyMs,
      (error: unknown) => {
        this.#failed(error)
        return afterFailureMs
      },
    )
    this.#apart.set(
      accountId,
      settled.then((nextMs) => {
        this.#apart.delete(accountId)
        this.#wake(this.#waiting.length >= batchMax ? 0 : nextMs)
      }),
    )
  }

  /** Returns accounts whose outcomes were left out. */
  async #settle(batch: readonly Waiting[], how: { waits: boolean }): Promise<ReadonlySet<number>> {
    for (const one of batch) one.isUnderWay = true
    try {
      const reported = batch.map(({ of, accountId, ended }) => ({ lease: of.lease, accountId, outcome: ended }))
      const { done, parked, refused, locked } = await settle(this.#db, this.#slot, reported, how)
      const answered = new Set([...done, ...parked])
      const over = new Set<Waiting>()
      for (const one of batch) {
        const { attemptId } = one.ended
        const error = refused.get(attemptId)
        if (error) this.#refused(one, error)
        // What did not count although the lease was valid is over, or another engine's.
        else if (answered.has(attemptId) || (!locked.has(one.accountId) && one.of.isValid)) over.add(one)
      }
      this.#waiting = this.#waiting.filter((one) => !over.has(one))
      for (const [dialer, those] of Map.groupBy(over, ({ of }) => of)) dialer.written(those, new Set(parked))
      return locked
    } finally {
      for (const one of batch) one.isUnderWay = false
    }
  }

  #refused(one: Waiting, error: Error): void {
    if (one.refused === null)
      this.#log.error({ error, attemptId: one.ended.attemptId }, 'an outcome could not be written; trying again')
    one.refused = error
    one.notBefore = performance.now() + afterRefusalMs
  }

  #steps(): Step[] {
    return [...this.#dialers].flatMap((of) =>
      of.isValid ? [...of.steps.values()].map((step) => ({ of, lease: of.lease, step })) : [],
    )
  }

  async #writeSteps(): Promise<void> {
    const steps = this.#steps()
    await halved(
      steps,
      (some) => saveSteps(this.#db, some),
      ({ step }, error) =>
        this.#log.error({ error, attemptId: step.attemptId }, 'where a call stands could not be saved'),
    )
    for (const { of, step } of steps) of.saved(step)
  }
}
