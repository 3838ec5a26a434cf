import type { Proven, QueuePlace } from '../../model/campaigns/claim.sql.ts'
import type { Sound } from '../../model/calls/plan.ts'
import type { Waiting } from '../../model/campaigns/streams.ts'

/** A row that is called soon. `dueUs` as in QueuePlace; null: it was never tried and waits for no other row. */
export type PrefetchedRow = { rowNo: number; dueUs: number | null; sounds: readonly Sound[] }

/** The next page of rows in the order in which claims take them. */
export type Page = {
  fresh: readonly PrefetchedRow[]
  /** All rows before this number were read; and where the rows end. */
  freshTo: number
  freshEnd: number
  queue: readonly PrefetchedRow[]
}

/** How many rows of each kind are read at once; the next page is read before half of them are called. */
export const pageRows = 200

/**
 * The rows that claims take next of a campaign, or of one of its streams. A claim takes only proven rows, from both ends: fresh ones and queued ones. A row is
 * - unread: whether there are more rows is not known;
 * - read: its sounds are being brought to the dialer;
 * - proven: all its sounds are there, and nothing is kept of it.
 */
export class Prefetch {
  isReading = false
  #isKnown = false
  #fresh: PrefetchedRow[] = []
  #freshRead = 0
  #freshTo = 0
  #freshEnd = 0
  #queue: PrefetchedRow[] = []
  #queueRead: QueuePlace = beginning
  #queueTo: QueuePlace = beginning

  get isKnown(): boolean {
    return this.#isKnown
  }

  /** Where the next page begins. */
  get read(): Proven {
    return { freshTo: this.#freshRead, queueTo: this.#queueRead }
  }

  get proven(): Proven {
    return { freshTo: this.#freshTo, queueTo: this.#queueTo }
  }

  /** The sounds of rows that are read and not proven. */
  *unproven(): Iterable<Sound> {
    for (const rows of [this.#queue, this.#fresh]) for (const { sounds } of rows) yield* sounds
  }

  add({ fresh, freshTo, freshEnd, queue }: Page): void {
    this.#isKnown = true
    this.#freshEnd = freshEnd
    this.#freshRead = freshTo
    this.#fresh.push(...fresh)
    this.#queue.push(...queue)
    this.#queueRead = placeOf(queue.at(-1)) ?? this.#queueRead
  }

  /** Counts the rows before the first one with a missing sound as proven. */
  advance(isThere: (hash: string) => boolean): void {
    const isUnproven = ({ sounds }: PrefetchedRow): boolean => !sounds.every(({ hash }) => isThere(hash))
    this.#fresh.splice(0, before(this.#fresh, isUnproven))
    this.#freshTo = this.#fresh[0]?.rowNo ?? this.#freshRead
    const proven = this.#queue.splice(0, before(this.#queue, isUnproven))
    this.#queueTo = placeOf(proven.at(-1)) ?? this.#queueTo
  }

  /** There may be unread rows that are called soon. */
  wantsMore(campaign: Waiting): boolean {
    if (!this.#isKnown) return true
    const left = this.#freshRead - this.#freshNext(campaign)
    if (this.#freshRead < this.#freshEnd && left < pageRows / 2) return true
    const due = dueOf(campaign)
    return due !== null && isAfter(due, this.#queueRead)
  }

  /** A claim would find rows. */
  hasProven(campaign: Waiting): boolean {
    if (!this.#isKnown) return false
    const due = dueOf(campaign)
    return this.#freshNext(campaign) < this.#freshTo || (due !== null && !isAfter(due, this.#queueTo))
  }

  #freshNext({ fresh_left }: Waiting): number {
    return this.#freshEnd - fresh_left
  }
}

const beginning: QueuePlace = { dueUs: 0, rowNo: -1 }

function placeOf(row: PrefetchedRow | undefined): QueuePlace | undefined {
  return row && row.dueUs !== null ? { dueUs: row.dueUs, rowNo: row.rowNo } : undefined
}

/** The first row of the queue, if it is due. */
function dueOf({ retry_due, next_due_us, next_due_no }: Waiting): QueuePlace | null {
  if (!retry_due || next_due_us === null || next_due_no === null) return null
  return { dueUs: next_due_us, rowNo: next_due_no }
}

function isAfter(one: QueuePlace, other: QueuePlace): boolean {
  return one.dueUs > other.dueUs || (one.dueUs === other.dueUs && one.rowNo > other.rowNo)
}

function before(rows: readonly PrefetchedRow[], is: (row: PrefetchedRow) => boolean): number {
  const at = rows.findIndex(is)
  return at < 0 ? rows.length : at
}
