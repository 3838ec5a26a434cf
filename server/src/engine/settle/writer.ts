import type { Logger } from 'pino'
import type { Outcome } from './settle.sql.ts'
import { settle } from './settle.ts'
import type { Lease, Queryable } from '../statement.ts'
import { saveSteps, type SavedStep } from '../call/steps.sql.ts'

const everyMs = 100
const batchMax = 500
const afterFailureMs = 500

export type Ended = Outcome & { campaignId: number }

export type WriterOptions = {
  db: Queryable
  lease: Lease
  slot: number
  log: Logger
  /** Called after the commit. */
  onSettled(ended: readonly Ended[], parked: readonly number[]): void
}

/**
 * Writes what calls did, in batches: first where they stand, then how they ended, one statement at a time. While the database is away, they
 * wait. Once the lease is gone they are dropped, and the next holder settles the calls from the dialer's record.
 */
export class Writer {
  readonly #options: WriterOptions
  readonly #steps = new Map<number, SavedStep>()
  #outcomes: Ended[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  #closed = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Only the newest step of a call is written. */
  save(step: SavedStep): void {
    this.#steps.set(step.attemptId, step)
    this.#wake(everyMs)
  }

  settle(outcome: Ended): void {
    this.#steps.delete(outcome.attemptId)
    this.#outcomes.push(outcome)
    this.#wake(this.#outcomes.length >= batchMax ? 0 : everyMs)
  }

  /** Outcomes that were reported and not written yet. */
  get waiting(): number {
    return this.#outcomes.length
  }

  /** Their attempts. */
  get unwritten(): number[] {
    return this.#outcomes.map((outcome) => outcome.attemptId)
  }

  /** Resolves when everything reported so far is written, unless the database is away. */
  async flush(): Promise<void> {
    await this.#writing
    if (!this.#closed) await this.#write()
  }

  close(): void {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  #wake(inMs: number): void {
    if (this.#closed || this.#writing || (this.#timer && inMs > 0)) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#run(), inMs)
  }

  async #run(): Promise<void> {
    this.#timer = null
    let nextMs = everyMs
    this.#writing = this.#write().catch((error: unknown) => {
      nextMs = afterFailureMs
      this.#options.log.error({ error }, 'calls could not be written; trying again')
    })
    await this.#writing
    this.#writing = null
    if (this.#outcomes.length >= batchMax) nextMs = Math.min(nextMs, 1)
    if (this.#outcomes.length > 0 || this.#steps.size > 0) this.#wake(nextMs)
  }

  async #write(): Promise<void> {
    const { db, lease, slot, onSettled } = this.#options
    await this.#writeSteps()
    while (this.#outcomes.length > 0 && !this.#closed) {
      const batch = this.#outcomes.slice(0, batchMax)
      const { parked } = await settle(db, lease, slot, batch)
      this.#outcomes.splice(0, batch.length)
      onSettled(batch, parked)
      await this.#writeSteps() // under load there is always a next batch
    }
  }

  async #writeSteps(): Promise<void> {
    const steps = [...this.#steps.values()]
    await saveSteps(this.#options.db, this.#options.lease, steps)
    for (const step of steps) if (this.#steps.get(step.attemptId) === step) this.#steps.delete(step.attemptId)
  }
}
