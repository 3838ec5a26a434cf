import type { SavedStep } from './steps.sql.ts'
import type { Lease } from '../../dispatch/statement.ts'
import type { Outcome } from './settle.sql.ts'

export type Ended = Outcome & { campaignId: number }

export type DialerOfWriter = {
  lease: Lease
  /** Of counters and income: a row that no other engine writes. */
  slot: number
  /** Whether the lease has not run out, so that what is written counts, unless another engine has taken it. */
  isValid(): boolean
  /** Called after the commit. */
  onSettled(ended: readonly Ended[], parked: readonly number[]): void
}

/** An outcome that was reported and is not written yet. */
export type Waiting = {
  of: WriterOfDialer
  accountId: number
  ended: Ended
  /** A statement has it. */
  isUnderWay: boolean
  /** Monotonic. */
  notBefore: number
  /** Why the database refused it last, although it may accept it later. */
  refused: Error | null
}

type Hears = {
  stepCame(): void
  outcomeCame(one: Waiting): void
  flush(): Promise<void>
  closed(): void
}

/** What the engine's writer is told by one dialer. Once the lease is another engine's, what is not written is dropped: that engine settles the calls from the dialer's record. */
export class WriterOfDialer {
  readonly lease: Lease
  readonly slot: number
  /** Only the newest of each call. */
  readonly steps = new Map<number, SavedStep>()
  readonly #of: DialerOfWriter
  readonly #hears: Hears
  readonly #waiting = new Set<Waiting>()
  #isClosed = false

  constructor(of: DialerOfWriter, hears: Hears) {
    this.lease = of.lease
    this.slot = of.slot
    this.#of = of
    this.#hears = hears
  }

  /** Only the newest step of a call is written. */
  save(step: SavedStep): void {
    if (this.#isClosed) return
    this.steps.set(step.attemptId, step)
    this.#hears.stepCame()
  }

  /** `accountId`: whose campaign it is. */
  settle(ended: Ended, accountId: number): void {
    if (this.#isClosed) return
    this.steps.delete(ended.attemptId)
    const one = { of: this, accountId, ended, isUnderWay: false, notBefore: -Infinity, refused: null }
    this.#waiting.add(one)
    this.#hears.outcomeCame(one)
  }

  /** Outcomes that were reported and not written yet. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Their attempts. */
  get unwritten(): number[] {
    return [...this.#waiting].map(({ ended }) => ended.attemptId)
  }

  get reported(): Waiting[] {
    return [...this.#waiting]
  }

  has(one: Waiting): boolean {
    return this.#waiting.has(one)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get isValid(): boolean {
    return !this.#isClosed && this.#of.isValid()
  }

  /** Resolves when everything reported so far is written, unless the database is away. */
  flush(): Promise<void> {
    return this.#hears.flush()
  }

  /** By the engine's writer, after the commit. */
  written(those: readonly Waiting[], parked: ReadonlySet<number>): void {
    for (const one of those) this.#waiting.delete(one)
    const ended = those.map((one) => one.ended)
    const ids = ended.map(({ attemptId }) => attemptId)
    this.#of.onSettled(
      ended,
      ids.filter((id) => parked.has(id)),
    )
  }

  /** By the engine's writer: a step that was sent. It may have come too late for the lease. */
  saved(step: SavedStep): void {
    if (this.isValid && this.steps.get(step.attemptId) === step) this.steps.delete(step.attemptId)
  }

  close(): void {
    this.#isClosed = true
    this.#waiting.clear()
    this.steps.clear()
    this.#hears.closed()
  }
}
