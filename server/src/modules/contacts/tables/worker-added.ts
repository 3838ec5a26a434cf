import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import { addedRefusedMax } from '@ghanti/contract/contacts.ts'
import { refusedShown } from '@ghanti/contract/refused.ts'
import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import { Columns } from '../rules-columns.ts'
import { OrdersFound, ordersWith, wrongDate } from '../rules-dates.ts'
import { joinColumns, placed, type Joined } from '../rules-added.ts'
import { ContactValidator, rowText } from '../rules.ts'
import type { FileEnd } from '../rows/worker-file.ts'
import { Unreadable } from '../rows/worker-records.ts'
import { Refused } from './worker-part.ts'
import { isBlank, type Row } from './rules-found.ts'
import { firstOf, recordsOf, TextFile, type Source } from './worker-table.ts'

/** Both sources are texts. `target` is written: the stored file followed by the added rows. */
export type AddJob = {
  stored: Source
  added: Source
  target: string
  sizeMax: number
  /** Known of the stored file's columns. Added rows are read in these, and in those that the stored rows prove. */
  dateOrders?: ColumnOrders
}
export type Added = {
  added: number
  duplicate: number
  invalid: number
  refused: { line: number; text: string; reason: string }[]
  /** The first of them that cannot be called. */
  firstInvalid: { line: number; text: string; reason: string }[]
}
export type AddEnd =
  | ({ kind: 'added'; bytes: number } & Added)
  | { kind: 'refused'; code: FaultCode; why: string }
  | Exclude<FileEnd, { kind: 'read' }>

/** Copies a stored file and appends rows of another: those that can be called and are not in it yet. */
export async function addRows(job: AddJob): Promise<AddEnd> {
  try {
    return await addOrThrow(job)
  } catch (error) {
    if (error instanceof Unreadable) return error.end
    if (error instanceof Refused) return { kind: 'refused', code: error.code, why: error.message }
    throw error
  }
}

async function addOrThrow({ stored, added, target, sizeMax, dateOrders = {} }: AddJob): Promise<AddEnd> {
  const first = await firstOf(recordsOf(stored))
  const joined = joinColumns(first?.cells ?? [], (await firstOf(recordsOf(added)))?.cells ?? [])
  if (typeof joined === 'string') throw new Refused(joined, 'columns')
  using text = new TextFile(target, sizeMax, null, stored)
  const beside = await ordersOf(added, joined)
  const rows = new AddedRows(joined, text, { known: dateOrders, beside })
  for await (const batch of recordsOf(stored)) for (const row of batch) rows.keep(row)
  for await (const batch of recordsOf(added)) for (const row of batch) rows.add(row)
  return { kind: 'added', bytes: text.end(), ...rows.result }
}

/** What the added rows prove by themselves, by the names of the stored file's columns. */
async function ordersOf(added: Source, joined: Joined): Promise<ColumnOrders> {
  const names = new Columns(joined.header ?? [])
  const found = new OrdersFound()
  for await (const batch of recordsOf(added))
    for (const { cells } of batch)
      for (const [at, cell] of cells.entries()) {
        const place = joined.places[at]
        if (place !== undefined) found.take(names.nameAt(place), cell.trim())
      }
  return found.orders
}

class AddedRows {
  readonly #joined: Joined
  readonly #text: TextFile
  readonly #validator: ContactValidator
  readonly #given: { known: ColumnOrders; beside: ColumnOrders }
  /** Once the stored rows are read. */
  #orders: ColumnOrders | null = null
  #isHeaderKept = false
  #isHeaderPassed: boolean
  readonly result: Added = { added: 0, duplicate: 0, invalid: 0, refused: [], firstInvalid: [] }

  constructor(joined: Joined, text: TextFile, given: { known: ColumnOrders; beside: ColumnOrders }) {
    this.#given = given
    this.#joined = joined
    this.#text = text
    this.#isHeaderPassed = !joined.isHeader
    // Without other columns a known number is a duplicate. Remembering numbers takes half the time and memory of remembering rows.
    const isOfNumbers = joined.count === 1 || joined.places.length === 1
    this.#validator = new ContactValidator(isOfNumbers ? [] : 'rows', ',')
  }

  keep({ line, cells }: Row): void {
    const isOfCells = !isBlank({ cells })
    const isHeader = !this.#isHeaderKept && this.#joined.header !== null && isOfCells
    const kept = isHeader ? (this.#joined.header ?? cells) : cells
    if (isOfCells) this.#isHeaderKept = true
    this.#validator.validate(kept, line)
    this.#text.add({ line, cells: kept })
  }

  add({ line, cells }: Row): void {
    if (isBlank({ cells })) return
    if (!this.#isHeaderPassed) {
      this.#isHeaderPassed = true
      return
    }
    const row = placed(cells, this.#joined)
    if (typeof row === 'string') return this.#refuse({ line, cells }, row, 'invalid')
    this.#orders ??= ordersWith(this.#validator.totals().dateOrders, this.#given.known)
    const at = this.#text.nextLine
    const validated = this.#validator.validate(row, at)
    if (!validated) return
    if ('reason' in validated)
      return this.#refuse({ line, cells }, validated.reason, validated.ofFile ? 'invalid' : 'duplicate')
    const wrong = wrongDate(validated.values, { known: this.#orders, beside: this.#given.beside })
    if (wrong !== null) return this.#refuse({ line, cells }, wrong, 'invalid')
    this.#text.add({ line: at, cells: row })
    this.result.added++
  }

  #refuse({ line, cells }: Row, reason: string, kind: 'invalid' | 'duplicate'): void {
    this.result[kind]++
    const { refused, firstInvalid } = this.result
    const row = () => ({ line, text: rowText(cells, ','), reason })
    if (refused.length < addedRefusedMax) refused.push(row())
    if (kind === 'invalid' && firstInvalid.length < refusedShown) firstInvalid.push(row())
  }
}
