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
  /** Whether the lease has not run out, so that what is written counts, unless another engine has taken it. */
  isValid(): boolean
  /** Called after the commit. */
  onSettled(ended: readonly Ended[], parked: readonly number[]): void
}

/**
 * Writes what calls did, in batches: first where they stand, then how they ended, one statement at a time. While the database is away, they
 * wait: a step and an end at most for each call, and no call begins. A lease that has run out lets nothing count, so whatever was sent then is
 * sent again once it is renewed. Once it is another engine's they are dropped, and that engine settles the calls from the dialer's record.
 */
export class Writer {
  readonly #options: WriterOptions
  readonly #steps = new Map<number, SavedStep>()
  #outcomes: Ended[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  #closed = false
  #isFailing = false

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
    const { log } = this.#options
    this.#writing = this.#write().then(
      () => void (this.#isFailing = false),
      (error: unknown) => {
        nextMs = afterFailureMs
        if (!this.#isFailing) log.error({ error }, 'calls could not be written; trying again')
        this.#isFailing = true
      },
    )
    await this.#writing
    this.#writing = null
    if (!this.#options.isValid()) nextMs = afterFailureMs
    if (this.#outcomes.length >= batchMax) nextMs = Math.min(nextMs, 1)
    if (this.#outcomes.length > 0 || this.#steps.size > 0) this.#wake(nextMs)
  }

  async #write(): Promise<void> {
    const { db, lease, slot, isValid, onSettled } = this.#options
    await this.#writeSteps()
    while (this.#outcomes.length > 0 && !this.#closed && isValid()) {
      const batch = this.#outcomes.slice(0, batchMax)
      const { done, parked } = await settle(db, lease, slot, batch)
      // What did not count although the lease was valid is over, or another engine's.
      const counted = isValid() ? batch : among(batch, [...done, ...parked])
      this.#outcomes = without(this.#outcomes, counted)
      onSettled(counted, parked)
      await this.#writeSteps() // under load there is always a next batch
    }
  }

  async #writeSteps(): Promise<void> {
    const { db, lease, isValid } = this.#options
    if (!isValid()) return
    const steps = [...this.#steps.values()]
    await saveSteps(db, lease, steps)
    if (!isValid()) return // it may have run out before this
    for (const step of steps) if (this.#steps.get(step.attemptId) === step) this.#steps.delete(step.attemptId)
  }
}

function among(ended: readonly Ended[], attemptIds: readonly number[]): Ended[] {
  const ids = new Set(attemptIds)
  return ended.filter(({ attemptId }) => ids.has(attemptId))
}

function without(ended: readonly Ended[], gone: readonly Ended[]): Ended[] {
  const isGone = new Set(gone)
  return ended.filter((one) => !isGone.has(one))
}
