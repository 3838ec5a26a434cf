import type { Proven, QueuePlace } from './claim.sql.ts'
import type { Sound } from '../call/plan.ts'
import type { CampaignRow } from './snapshot.sql.ts'

/** A row that is called soon; `dueUs` as in QueuePlace, null: it was never tried and waits for no other. */
export type PrefetchedRow = { no: number; dueUs: number | null; sounds: readonly Sound[] }

/** Rows as claims will take them, from where the page before ended. */
export type Page = {
  fresh: readonly PrefetchedRow[]
  /** All rows of it before this one were read, and how many the campaign has. */
  freshTo: number
  freshEnd: number
  queue: readonly PrefetchedRow[]
}

/** So many rows of each kind are read at once, and as many more before half of them are called. */
export const pageRows = 200

/**
 * The rows that a campaign's claims come to next. A claim takes from both ends what is proven: the sounds of all rows up to there are on the dialer.
 * - to be read: whether there are any is not known      - read: their sounds are being brought      - proven: nothing of them is kept
 */
export class Prefetch {
  /** One page at a time. */
  isReading = false
  #isKnown = false
  #fresh: PrefetchedRow[] = []
  #freshRead = 0
  #freshTo = 0
  #freshEnd = 0
  #queue: PrefetchedRow[] = []
  #queueRead: QueuePlace = beginning
  #queueTo: QueuePlace = beginning

  /** Something was read. */
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

  /** What rows that are read and not proven say. */
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

  /** The rows before the first one with a sound that is not there are proven. */
  advance(isThere: (hash: string) => boolean): void {
    const isUnproven = ({ sounds }: PrefetchedRow): boolean => !sounds.every(({ hash }) => isThere(hash))
    this.#fresh.splice(0, before(this.#fresh, isUnproven))
    this.#freshTo = this.#fresh[0]?.no ?? this.#freshRead
    const proven = this.#queue.splice(0, before(this.#queue, isUnproven))
    this.#queueTo = placeOf(proven.at(-1)) ?? this.#queueTo
  }

  /** There may be rows which it has not read and which are called soon. */
  wantsMore(campaign: Waiting): boolean {
    if (!this.#isKnown) return true
    const left = this.#freshRead - this.#freshNext(campaign)
    if (this.#freshRead < this.#freshEnd && left < pageRows / 2) return true
    const due = dueOf(campaign)
    return due !== null && isAfter(due, this.#queueRead)
  }

  /** A claim finds some. */
  hasProven(campaign: Waiting): boolean {
    if (!this.#isKnown) return false
    const due = dueOf(campaign)
    return this.#freshNext(campaign) < this.#freshTo || (due !== null && !isAfter(due, this.#queueTo))
  }

  #freshNext({ fresh_left }: Waiting): number {
    return this.#freshEnd - fresh_left
  }
}

type Waiting = Pick<CampaignRow, 'fresh_left' | 'next_due_us' | 'next_due_no' | 'retry_due'>

const beginning: QueuePlace = { dueUs: 0, no: -1 }

function placeOf(row: PrefetchedRow | undefined): QueuePlace | undefined {
  return row && row.dueUs !== null ? { dueUs: row.dueUs, no: row.no } : undefined
}

/** The first of the queue, if its time has come. */
function dueOf({ retry_due, next_due_us, next_due_no }: Waiting): QueuePlace | null {
  if (!retry_due || next_due_us === null || next_due_no === null) return null
  return { dueUs: next_due_us, no: next_due_no }
}

function isAfter(one: QueuePlace, other: QueuePlace): boolean {
  return one.dueUs > other.dueUs || (one.dueUs === other.dueUs && one.no > other.no)
}

function before(rows: readonly PrefetchedRow[], is: (row: PrefetchedRow) => boolean): number {
  const at = rows.findIndex(is)
  return at < 0 ? rows.length : at
}
