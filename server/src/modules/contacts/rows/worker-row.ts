import type { AcceptedRow, RefusedRow } from '../rules.ts'
import type { ValidatedBatch } from './worker-file.ts'

export type SoughtRow = { row: AcceptedRow | RefusedRow; previous: number | null; next: number | null }

/**
 * Finds one row among batches of checked ones: the first that begins in `line` or after it; without `line`, the first accepted one that
 * `isWanted`. Batches must come in the order of the file. The last batch is needed too: the row after is known only then.
 */
export class RowSeeker {
  readonly #line: number | undefined
  readonly #isWanted: (row: AcceptedRow) => boolean
  #previous: number | null = null
  #found: AcceptedRow | RefusedRow | null = null

  constructor(line?: number, isWanted: (row: AcceptedRow) => boolean = () => true) {
    this.#line = line
    this.#isWanted = isWanted
  }

  /** The row, available once the row after it has been read too. */
  take({ accepted, refused }: Pick<ValidatedBatch, 'accepted' | 'refused'>): SoughtRow | null {
    for (const row of [...accepted, ...refused].toSorted((a, b) => a.line - b.line)) {
      if (this.#found) return { row: this.#found, previous: this.#previous, next: row.line }
      if (this.#line === undefined ? 'phone' in row && this.#isWanted(row) : row.line >= this.#line) this.#found = row
      else this.#previous = row.line
    }
    return null
  }

  /** The row once the file has ended: the last one, or null. */
  end(): SoughtRow | null {
    return this.#found && { row: this.#found, previous: this.#previous, next: null }
  }
}
