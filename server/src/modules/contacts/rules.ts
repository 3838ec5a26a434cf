import { ownValue, setOwnValue } from '@ghanti/contract/own-values.ts'
import { readValue } from '@ghanti/callflow/speech/read.ts'
import type { FromColumns } from '@ghanti/contract/blacklist.ts'
import { contactColumnsMax } from '@ghanti/contract/contacts.ts'
import type { MoreNumbers } from '@ghanti/contract/more-numbers.ts'
import type { ColumnOrders, DateOrder } from '@ghanti/contract/date-orders.ts'
import { refusedKeptMax } from '@ghanti/contract/refused.ts'
import { lostFormula, whyLostFormula, whyNotDialable } from '@ghanti/contract/phone.ts'
import { templates } from '@ghanti/contract/template-names.ts'
import { spokenColumns, type SpokenKind } from '@ghanti/contract/templates.ts'
import { textMax } from '@ghanti/contract/values.ts'
import { hasAddress } from '../../lib/wording/addresses.ts'
import { skeletonOf } from '../../lib/wording/skeleton.ts'
import { hasNumberBeside, RowNumbers, type NumbersTaken } from './rows/rules-numbers.ts'
import { bareName, Columns } from './rules-columns.ts'
import { orderIn, OrdersFound } from './rules-dates.ts'

type RefusedCounts = Pick<FileTotals, 'invalid' | 'duplicate' | 'refusedOfFile'>

export function refusedOf({ invalid, duplicate, refusedOfFile }: RefusedCounts) {
  const of = (count: number) => ({ count, kept: Math.min(count, refusedKeptMax) })
  const [file, template] = [of(refusedOfFile), of(invalid + duplicate - refusedOfFile)]
  return { file, template, kept: file.kept + template.kept }
}

export function leftOutOf(counts: RefusedCounts): string[] {
  const { file, template } = refusedOf(counts)
  const said = (one: { count: number; kept: number }, kind: string): string[] =>
    one.kept < one.count ? [`the first ${inWords(one.kept)} of ${inWords(one.count)} rows refused ${kind}`] : []
  return [
    ...said(file, 'for their number or length'),
    ...said(template, 'as duplicates or for what the template needs'),
  ]
}

const inWords = (count: number): string => count.toLocaleString('en')

/**
 * A column that a template speaks. `from`: the file's column that it was said to be. `refuse` returns what is wrong with a value, continuing a sentence
 * after the column's name, or null.
 */
export type TemplateColumn = {
  name: string
  kind?: SpokenKind
  from?: string | undefined
  refuse: (value: string, order?: DateOrder | null) => string | null
}
/** The file's column for a template's, by the template's name, where the owner chose it. */
export type SpokenFrom = Readonly<Record<string, string>>

/** What a template needs besides the number, in the order of a file without header (docs/api.md#templates). */
export function columnsOfTemplate(templateId: number, spokenFrom: SpokenFrom = {}): readonly TemplateColumn[] {
  const template = templates.find(({ id }) => id === templateId)
  if (!template) throw new Error(`template ${templateId} has no contact columns`)
  return spokenColumns(template.id).map(({ column, kind }) => ({
    name: column,
    kind,
    from: ownValue(spokenFrom, column),
    refuse: (value, order) => {
      const read = readValue(kind, value, order)
      if (!read.ok) return read.why
      const isFree = kind === 'name' || kind === 'service'
      return isFree && couldBeAddress(value, read.value) ? 'could be an address' : null
    },
  }))
}

/** What is heard is judged, and what was written: a sign that is left out must not hide an address. 'Hari/Sita' is none. */
function couldBeAddress(written: string, spoken: string): boolean {
  return [spoken, written.replaceAll('/', ' ')].some((text) => hasAddress(skeletonOf(text)))
}

/** The spoken columns. ContactValidator explains 'rows' and 'any'. */
export type RequiredColumns = readonly TemplateColumn[] | 'rows' | 'any'

/**
 * A row that may be called. `turn` counts the rows of its number: 0 is called first, the others wait for the one before. `more`: the numbers besides
 * its first that are taken of it.
 */
export type AcceptedRow = {
  line: number
  phone: number
  more?: readonly number[]
  turn: number
  values: Record<string, string>
  /** The values that the template speaks, dates as AD days and others as written, in the order of its columns; absent when it speaks none. */
  spoken?: readonly string[]
}
/**
 * `text`: the row as in the file, shortened. `reason`: a sentence for its owner. `ofFile`: refused whatever the template, that is, neither
 * for a spoken value nor as a duplicate. `number`: as it is written, of a row that is refused for it. `more`: numbers in other columns, which are
 * taken all the same.
 */
export type RefusedRow = {
  line: number
  text: string
  reason: string
  ofFile: boolean
  number?: string
  more?: readonly number[]
}

/** Keeps the first `refusedKeptMax` refused rows of each kind; the others are only counted. */
export class KeptRefused {
  #ofFile = 0
  #ofTemplate = 0

  take(refused: readonly RefusedRow[]): RefusedRow[] {
    return refused.filter(({ ofFile }) => (ofFile ? this.#ofFile++ : this.#ofTemplate++) < refusedKeptMax)
  }
}

/** `rows = accepted + invalid + duplicate`. `dialable` counts rows with a number that can be called; no template accepts `refusedOfFile`. */
export type FileTotals = {
  rows: number
  dialable: number
  accepted: number
  invalid: number
  duplicate: number
  refusedOfFile: number
  valueBytes: number
  /** 'mobile', then the others in the order of the file: the keys of `values`. */
  columns: string[]
  /** Columns with cells whose letters are lost. */
  lostLetters: string[]
  /** Where numbers stand that can be called and were not taken. */
  moreNumbers: MoreNumbers
  /** Where those stand that were taken. */
  fromColumns: FromColumns
  dateOrders: ColumnOrders
}

type ReadRow = Pick<AcceptedRow, 'phone' | 'more' | 'values'>
type UnreadRow = Required<Pick<RefusedRow, 'more'>> & Pick<RefusedRow, 'number'> & { why: string }

/** Quotes, colon and comma of a name and its value. */
const signsOfPair = 6
const refusedTextMax = 500
/** The first two bytes of three of each Nepali letter in UTF-8, read as Western letters. */
const misread = ['\u00e0\u00a4', '\u00e0\u00a5']
/** What is left of Nepali letters in a character set that has none, or that they were read in. */
function isLost(value: string): boolean {
  if (value.charCodeAt(0) <= 0x39) return false // figures, of which files have most
  if (value.startsWith('?') && /^\?[?\s.,()-]+$/.test(value)) return value.split('?').length > 3
  return value.includes('\ufffd') || misread.some((bytes) => value.includes(bytes))
}

/**
 * The file's column that a template's column is read from: the one that was chosen, or by name, or by position where the file has no such name. Null: the file lacks
 * it.
 */
export function sourceOf(
  columns: readonly string[],
  required: readonly TemplateColumn[],
  index: number,
): string | null {
  const others = columns.slice(1)
  const chosen = others.find((name) => name === required[index]?.from)
  if (chosen !== undefined) return chosen
  const named = others.find((name) => bareName(name) === bareName(required[index]?.name ?? ''))
  if (named !== undefined) return named
  const positional = others[index]
  return positional !== undefined && /^column\d+$/.test(positional) ? positional : null
}

export function sourcesOf(columns: readonly string[], required: readonly TemplateColumn[]): Record<string, string> {
  const pairs = required.map(({ name }, index) => [name, sourceOf(columns, required, index)] as const)
  return Object.fromEntries(pairs.flatMap(([name, from]) => (from === null ? [] : [[name, from]])))
}

export function missingColumns(columns: readonly string[], required: readonly TemplateColumn[]): string[] {
  return required.filter((_, index) => sourceOf(columns, required, index) === null).map((column) => column.name)
}

/** The file's columns that the template reads as dates. */
export function dateColumns(columns: readonly string[], required: readonly TemplateColumn[]): string[] {
  return required.flatMap(({ kind }, index) => (kind === 'date' ? [sourceOf(columns, required, index) ?? ''] : []))
}

/**
 * Validates the rows of one file in order, and remembers each number it has seen.
 *   no spoken columns  one row per number, the first
 *   spoken columns     rows of a number with different values are called in turn; an equal row is a duplicate
 *   rows               nothing is spoken, but rows differ by their values: like spoken columns
 *   any                nothing is a duplicate and nothing is remembered: whoever stores the numbers knows which exist
 */
export class ContactValidator {
  readonly #required: readonly TemplateColumn[]
  readonly #separator: string
  readonly #takes: NumbersTaken
  readonly #numbers: RowNumbers
  readonly #remembers: 'numbers' | 'rows' | null
  #columns: Columns | null = null
  /** Where the required columns are read from; recomputed when a row reveals more columns. */
  #sources: (string | null)[] = []
  #sourcesAt = 0
  /** For numbers: the line of each one's first row. */
  readonly #lineOfPhone = new Map<number, number>()
  /** For rows: the line of each distinct one, and how many rows each number has. */
  readonly #lineOfRow = new Map<string, number>()
  readonly #rowsOfPhone = new Map<number, number>()
  readonly #given: ColumnOrders | null
  readonly #orders = new OrdersFound()
  #rows = 0
  #dialable = 0
  #invalid = 0
  #refusedOfFile = 0
  #valueBytes = 0
  #duplicate = 0
  readonly #lostLetters = new Set<string>()
  /** By position: columns have the same names in millions of rows. */
  readonly #nameBytes: number[] = []

  /** `orders`: those of the columns with dates; null when they are not known. */
  constructor(
    required: RequiredColumns,
    separator: string,
    { takes = 'first', orders = null }: { takes?: NumbersTaken | undefined; orders?: ColumnOrders | null } = {},
  ) {
    this.#given = orders
    this.#takes = takes
    this.#numbers = new RowNumbers(takes)
    this.#required = typeof required === 'string' ? [] : required
    if (required === 'any') this.#remembers = null
    else this.#remembers = required === 'rows' || required.length > 0 ? 'rows' : 'numbers'
    this.#separator = separator
  }

  /** Null for a blank line and for the header. */
  validate(cells: readonly string[], line: number): AcceptedRow | RefusedRow | null {
    if (cells.every((cell) => cell.trim() === '')) return null
    if (!this.#columns) {
      this.#columns = new Columns(cells)
      if (this.#columns.header) {
        const row = this.#rowOfHeader(cells, this.#columns)
        return row && this.#validated(row, line, this.#columns)
      }
    }
    return this.#validated(cells, line, this.#columns)
  }

  #validated(cells: readonly string[], line: number, columns: Columns): AcceptedRow | RefusedRow {
    this.#rows++
    const row = this.#read(cells, columns)
    if ('why' in row) {
      this.#invalid++
      this.#refusedOfFile++
      const { why, number, more } = row
      const refused = this.#refused(cells, line, why, true)
      return { ...refused, ...(number !== undefined && { number }), ...(more.length > 0 && { more }) }
    }
    const wrong = this.#wrongValue(row.values, columns)
    if (wrong !== null) {
      this.#invalid++
      return this.#refused(cells, line, wrong, false)
    }
    const turn = this.#turnOf(row, line)
    if (typeof turn === 'string') {
      this.#duplicate++
      return this.#refused(cells, line, turn, false)
    }
    const spoken = this.#sources.map((source, index) => this.#spokenOf(row.values, source ?? '', index))
    return { line, ...row, turn, ...(this.#required.length > 0 && { spoken }) }
  }

  /** Of a list every number is taken, and so those in the names of its columns; else they are counted. */
  #rowOfHeader(cells: readonly string[], columns: Columns): readonly string[] | null {
    if (this.#takes !== 'row') this.#numbers.readHeader(cells, columns)
    else if (cells.some((cell) => hasNumberBeside(cell)))
      return cells.map((cell) => (hasNumberBeside(cell) ? cell : ''))
    return null
  }

  totals(): FileTotals {
    return {
      rows: this.#rows,
      dialable: this.#dialable,
      accepted: this.#rows - this.#invalid - this.#duplicate,
      invalid: this.#invalid,
      duplicate: this.#duplicate,
      refusedOfFile: this.#refusedOfFile,
      valueBytes: this.#valueBytes,
      columns: this.#columns?.all() ?? ['mobile'],
      lostLetters: [...this.#lostLetters],
      moreNumbers: this.#columns ? this.#numbers.moreNumbers(this.#columns) : [],
      fromColumns: this.#columns ? this.#numbers.taken(this.#columns) : [],
      dateOrders: this.#orders.orders,
    }
  }

  /** The number and values, or why the row is refused whatever the template. Whoever takes several numbers of a row takes no values. */
  #read(cells: readonly string[], columns: Columns): ReadRow | UnreadRow {
    if (cells.length > contactColumnsMax) return { why: `the row has more than ${contactColumnsMax} columns`, more: [] }
    const { phone, more, isLost } = this.#numbers.read(cells, columns)
    if (phone === null || isLost) {
      const number = cells[columns.mobileAt] ?? ''
      const why = `the number ${whyNotDialable(number)}`
      return { why, number, more: phone === null ? [] : [phone, ...more] }
    }
    this.#dialable++
    if (this.#takes !== 'first') return { phone, values: {}, ...(more.length > 0 && { more }) }
    const values = this.#valuesOf(cells, columns)
    return typeof values === 'string' ? { why: values, more: [] } : { phone, values }
  }

  #valuesOf(cells: readonly string[], columns: Columns): Record<string, string> | string {
    const values: Record<string, string> = {}
    for (const [at, cell] of cells.entries()) {
      const value = cell.trim()
      if (at === columns.mobileAt || value === '') continue
      if (value === lostFormula) return `${columns.nameAt(at)} ${whyLostFormula}`
      if (value.length > textMax)
        return `${columns.nameAt(at)} is longer than ${textMax.toLocaleString('en')} characters`
      const name = columns.nameAt(at)
      if (isLost(value)) this.#lostLetters.add(name)
      setOwnValue(values, name, value)
      this.#orders.take(name, value)
      this.#valueBytes += this.#bytesOfName(at, name) + Buffer.byteLength(value) + signsOfPair
    }
    return values
  }

  #bytesOfName(at: number, name: string): number {
    return (this.#nameBytes[at] ??= Buffer.byteLength(name))
  }

  #wrongValue(values: Readonly<Record<string, string>>, columns: Columns): string | null {
    if (this.#required.length > 0 && this.#sourcesAt !== columns.count) {
      this.#sources = this.#required.map((_, index) => sourceOf(columns.all(), this.#required, index))
      this.#sourcesAt = columns.count
    }
    for (const [index, { name, refuse }] of this.#required.entries()) {
      const source = this.#sources[index] ?? ''
      const value = ownValue(values, source)
      const wrong = value === undefined ? 'is missing' : refuse(value, orderIn(this.#given, source))
      if (wrong !== null) return `${name} ${wrong}`
    }
    return null
  }

  /** A date as the day that it is in the order of its column, so that nobody reads it in another one. */
  #spokenOf(values: Readonly<Record<string, string>>, source: string, index: number): string {
    const value = ownValue(values, source) ?? ''
    if (this.#required[index]?.kind !== 'date') return value
    const read = readValue('date', value, orderIn(this.#given, source))
    return read.ok ? read.value : value
  }

  /** Which row of its number this is, or the text for a duplicate. */
  #turnOf({ phone, values }: { phone: number; values: Record<string, string> }, line: number): number | string {
    if (this.#remembers === null) return 0
    if (this.#remembers === 'numbers') {
      const first = this.#lineOfPhone.get(phone)
      if (first !== undefined) return `the same number as in line ${first}`
      this.#lineOfPhone.set(phone, line)
      return 0
    }
    const key = JSON.stringify([phone, values])
    const equal = this.#lineOfRow.get(key)
    if (equal !== undefined) return `the same row as in line ${equal}`
    this.#lineOfRow.set(key, line)
    const turn = this.#rowsOfPhone.get(phone) ?? 0
    this.#rowsOfPhone.set(phone, turn + 1)
    return turn
  }

  #refused(cells: readonly string[], line: number, reason: string, ofFile: boolean): RefusedRow {
    return { line, text: rowText(cells, this.#separator), reason, ofFile }
  }
}

/** A row as in its file, shortened; quoted where a cell would read as two: '"1,000"' is not '1,000'. */
export function rowText(cells: readonly string[], separator: string): string {
  const written = cells.map((cell) =>
    cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  )
  return written.join(separator).slice(0, refusedTextMax).toWellFormed()
}
