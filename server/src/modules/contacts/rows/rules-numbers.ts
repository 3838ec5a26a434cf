import { mobilesWithin, phoneDigits, phonesIn, withoutSeparators, type Phone } from '@ghanti/contract/phone.ts'
import { MoreNumbers } from '@ghanti/contract/more-numbers.ts'
import type { FromColumns } from '@ghanti/contract/blacklist.ts'

/**
 * Which numbers of a row are taken; those that are not taken are counted.
 *   first  the first that can be called in the cell of the number
 *   cell   all in that cell
 *   row    these, and the mobiles of all other columns, also those that stand among words
 */
export type NumbersTaken = 'first' | 'cell' | 'row'

type InColumns = { mobileAt: number; nameAt: (at: number) => string }
/** `isLost`: the cell of the number holds one that cannot be called, whatever was taken of the others. */
export type NumbersOfRow = { phone: number | null; more: readonly number[]; isLost: boolean }

const none: readonly Phone[] = []

/** Finds the numbers of each row, and counts by column what was taken and what was not. */
export class RowNumbers {
  readonly #takes: NumbersTaken
  readonly #rowsLeft = new Map<number, number>()
  readonly #taken = new Map<number, number>()

  constructor(takes: NumbersTaken) {
    this.#takes = takes
  }

  read(cells: readonly string[], columns: InColumns): NumbersOfRow {
    const at = columns.mobileAt
    const written = cells[at] ?? ''
    const own = this.#takes === 'row' ? phonesOrWithin(written) : phonesIn(written)
    const taken = this.#takes === 'first' ? own.slice(0, 1) : [...own]
    if (own.length > taken.length) add(this.#rowsLeft, at, 1)
    if (taken.length > 0) add(this.#taken, at, taken.length)
    for (const [position, cell] of cells.entries())
      if (position !== at && mayHoldNumber(cell)) taken.push(...this.#takeBeside(cell, position, { own, columns }))
    const [first, ...more] = taken.map(phoneDigits)
    return { phone: first ?? null, more, isLost: own.length === 0 && withoutSeparators(written).length > 6 }
  }

  /** Those in the names of the columns. */
  readHeader(cells: readonly string[], columns: InColumns): void {
    for (const [at, cell] of cells.entries()) if (hasNumberBeside(cell, columns.nameAt(at))) add(this.#rowsLeft, at, 1)
  }

  /** What is taken of a cell of another column. */
  #takeBeside(cell: string, at: number, { own, columns }: { own: readonly Phone[]; columns: InColumns }) {
    const others = numbersBeside(cell, columns.nameAt(at))
    const callable = others.filter(({ e164 }) => !own.some((one) => one.e164 === e164))
    const taken = this.#takes === 'row' ? callable.filter(({ kind }) => kind === 'mobile') : none
    if (callable.length > taken.length) add(this.#rowsLeft, at, 1)
    if (taken.length > 0) add(this.#taken, at, taken.length)
    return taken
  }

  moreNumbers({ nameAt }: Pick<InColumns, 'nameAt'>): MoreNumbers {
    return inOrder(this.#rowsLeft).map(([at, rows]) => ({ column: nameAt(at), rows }))
  }

  taken({ nameAt }: Pick<InColumns, 'nameAt'>): FromColumns {
    return inOrder(this.#taken).map(([at, numbers]) => ({ column: nameAt(at), numbers }))
  }
}

function add(counts: Map<number, number>, at: number, more: number): void {
  counts.set(at, (counts.get(at) ?? 0) + more)
}

function inOrder(counts: ReadonlyMap<number, number>): [at: number, count: number][] {
  return [...counts].toSorted(([a], [b]) => a - b)
}

/** A landline has nine digits, a mobile ten. Decides quickly for most cells, of which a file has millions. */
function mayHoldNumber(cell: string): boolean {
  if (cell.length < 9) return false
  let digits = 0
  for (let at = 0; at < cell.length; at++) {
    const sign = cell.charCodeAt(at)
    if ((sign >= 0x30 && sign <= 0x39) || (sign >= 0x0966 && sign <= 0x096f)) digits++
  }
  return digits > 8
}

const digitsAlone = /^\d+$/
const likeNumber = /^(?:(?:00)?977|0)?\d{8,10}$/
const day = /^\s*\d{4}[-/.]\d\d?[-/.]\d\d?(?:$|[T\s])/

function numbersOf(cell: string): readonly Phone[] {
  if (digitsAlone.test(cell) ? !likeNumber.test(cell) : day.test(cell)) return none
  return phonesOrWithin(cell)
}

/** Those of a cell that is not the number's. */
function numbersBeside(cell: string, name: string): Phone[] {
  return numbersOf(cell).filter(({ kind }) => kind === 'mobile' || isLandline(cell, name))
}

export function hasNumberBeside(cell: string, name = ''): boolean {
  return mayHoldNumber(cell) && numbersBeside(cell, name).length > 0
}

/** Null: the file was stored before this was counted. */
export function storedNumbers({ more_numbers }: { more_numbers: unknown }): MoreNumbers | null {
  return more_numbers === null ? null : MoreNumbers.parse(more_numbers)
}

/** What was found outside the rows that were read, which no later reading finds again. */
export function outsideOf(counted: MoreNumbers | null): MoreNumbers {
  return (counted ?? []).filter(({ place }) => place !== undefined)
}

/** Adds up what was found in the same place. */
export function allNumbers(...found: readonly MoreNumbers[]): MoreNumbers {
  const all: MoreNumbers = []
  for (const one of found.flat()) {
    const at = all.findIndex(({ column, place }) => column === one.column && place === one.place)
    const before = all[at]
    if (before) all[at] = { ...before, rows: before.rows + one.rows }
    else all.push(one)
  }
  return all
}

/** Also those that stand among words. */
export function phonesOrWithin(cell: string): readonly Phone[] {
  const phones = phonesIn(cell)
  return phones.length > 0 ? phones : mobilesWithin(cell)
}

const ofTelephones = /phone|mob|tel|landline|contact|cell|मोबाइल|फोन|ल्यान्डलाइन|सम्पर्क/i

/** Nine digits behind a 0 may be a customer's number, unless they are written, or their column is named, as a telephone's. */
function isLandline(cell: string, name: string): boolean {
  return !digitsAlone.test(cell.trim()) || ofTelephones.test(name)
}
