import { contactColumnsMax } from '@ghanti/contract/contacts.ts'
import { mobilesWithin, phonesIn } from '@ghanti/contract/phone.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { separatorOf } from './rows/rules-format.ts'

/** Headers that name the number's column, the surest first. Compared without case, spaces and punctuation. */
const mobileNames = [
  /^mob(ile)?(no|num|number|phone)?$/,
  /^(phone|cell|msisdn|telephone|contact|cellphone)(no|num|number)?$|^मोबाइल(नं|नम्बर)?$|^(फोन|सम्पर्क)(नं|नम्बर)?$/,
  /^(number|tel|नम्बर)$/,
  /^(mobile|phone|contactn|मोबाइल|फोन)/,
]
export const bareName = (cell: string): string => cell.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '')

/** How sure a name is that of the number's column: 0 is the surest; `prefixTier` says only how it begins; null: it is none. */
export function tierOfName(name: string): number | null {
  const bare = bareName(name)
  const tier = mobileNames.findIndex((pattern) => pattern.test(bare))
  return tier < 0 ? null : tier
}
export const prefixTier = mobileNames.length - 1

function mobileColumn(names: readonly string[]): number | null {
  for (const pattern of mobileNames) {
    const at = names.findIndex((name) => pattern.test(bareName(name)))
    if (at >= 0) return at
  }
  return null
}

/** Also one that stands among words: 'Mobile 9841000001, asked to stop' names no column. */
export const hasNumber = (cell: string): boolean => phonesIn(cell).length > 0 || mobilesWithin(cell).length > 0

/**
 * A first row is a header when it names the number's column or has no digit at all, and never when it contains a number to call. Only beside a cell
 * that names that column and nothing else may one stand among words: 'Mobile, Remark (send it to 9841000001)'.
 */
export function isHeader(first: readonly string[]): boolean {
  if (first.some((cell) => phonesIn(cell).length > 0)) return false
  const isNamed = first.some((cell) => (tierOfName(cell) ?? prefixTier) < prefixTier)
  if (!isNamed && first.some(hasNumber)) return false
  if (mobileColumn(first) !== null) return true
  return (first[0] ?? '').trim() !== '' && !first.some((cell) => /\p{Nd}/u.test(cell))
}

/** A pasted text is a table when its first line names the number's column beside others. */
export function isTable(text: string): boolean {
  // A line of numbers may be as long as a file; a header is short.
  const [first = ''] = text
    .trimStart()
    .slice(0, 5000)
    .split(/[\r\n]/, 1)
  const cells = first.split(separatorOf(first))
  return cells.length > 1 && mobileColumn(cells) !== null && !cells.some(hasNumber)
}

/** The file's column names by position: from the header, else 'mobile', 'column2', 'column3', … */
export class Columns {
  readonly mobileAt: number
  readonly header: boolean
  readonly #names: string[] = []
  readonly #taken = new Set(['mobile'])

  constructor(first: readonly string[]) {
    this.header = isHeader(first)
    this.mobileAt = (this.header ? mobileColumn(first) : null) ?? 0
    for (const cell of first.slice(0, contactColumnsMax)) this.#add(this.header ? cell : '')
  }

  #add(written: string): void {
    const at = this.#names.length
    const wanted = written.replace(/\s+/g, ' ').trim().slice(0, nameMax).toWellFormed() || `column${at + 1}`
    let name = at === this.mobileAt ? 'mobile' : wanted
    for (let n = 2; at !== this.mobileAt && this.#taken.has(name.toLowerCase()); n++) name = `${wanted} ${n}`
    this.#taken.add(name.toLowerCase())
    this.#names.push(name)
  }

  /** Columns beyond the header get a name when a row first uses them. */
  readonly nameAt = (at: number): string => {
    const name = this.#names[at]
    if (name !== undefined) return name
    this.#add('')
    return this.nameAt(at)
  }

  get count(): number {
    return this.#names.length
  }

  get names(): readonly string[] {
    return this.#names
  }

  all(): string[] {
    return ['mobile', ...this.#names.filter((_, at) => at !== this.mobileAt)]
  }
}

/** The columns of a file by its first row; without a header they get names such as 'column2'. */
export function columnsIn(first: readonly string[]): { header: boolean; number: number; names: readonly string[] } {
  const { header, mobileAt: number, names } = new Columns(first)
  return { header, number, names }
}
