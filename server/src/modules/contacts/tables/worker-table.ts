import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import { closeSync, openSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { contactColumnsMax, type ChosenColumns, type TypedNumbers } from '@ghanti/contract/contacts.ts'
import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import type { MoreNumbers } from '@ghanti/contract/more-numbers.ts'
import type { Phone } from '@ghanti/contract/phone.ts'
import { byteOrderMark, csvLine } from '../../../lib/csv.ts'
import { codeOf } from '../../../lib/error-code.ts'
import { namesOf } from '../../../lib/list-of-names.ts'
import { Columns, columnsIn, prefixTier, tierOfName } from '../rules-columns.ts'
import { OrdersFound } from '../rules-dates.ts'
import { formatOf, headBytes, whyUnsupported, workbookType, zipType } from '../rows/rules-format.ts'
import { hasNumberBeside, phonesOrWithin } from '../rows/rules-numbers.ts'
import { readRecords, unsupported, type FileEnd } from '../rows/worker-file.ts'
import { Unreadable } from '../rows/worker-records.ts'
import { findTable, isBlank, sampleRows, type FoundTable, type Row } from './rules-found.ts'
import { headerOf, inOrder, tooMuchText } from './rules-table.ts'
import { withoutEmptyFormulas } from './rules-cells.ts'
import { cardColumns, cardsOf, isFileOfCards } from './worker-cards.ts'
import { Refused } from './worker-part.ts'
import { numbersInOthers, Workbook } from './worker-workbook.ts'

export type Source = { path: string; declaredType: string; sizeMax: number; sheet?: string; firstLine?: number }
export type TableJob = Source & (TextJob | { want: 'look' })
/** `isList`: every number is taken, in whatever column and whether its row is hidden. `hiddenRows`: of a workbook; absent: nobody has said. */
type TextJob = {
  want: 'text'
  target: string
  columns?: ChosenColumns
  /** They replace those of their rows. */
  numbers?: TypedNumbers
  askColumns: boolean
  isList?: boolean
  hiddenRows?: 'take' | 'leave'
}

export type Look = {
  /** A workbook's visible sheets that have rows; empty for a text. */
  sheets: string[]
  sheet: string | null
  header: boolean
  /** Found by the cells and the names; null when a person has to choose. */
  number: number | null
  /** The number's column if nobody is asked. */
  likely: number
  headerLine: number | null
  /** The names of the columns between which neither decides. */
  close: string[]
  /** How many rows are hidden in the sheet. */
  hiddenRows: number
  /** By the names that the columns have when the file is stored as it was found. */
  dateOrders: ColumnOrders
  first: { line: number; cells: string[] }[]
}
/** Rows that are hidden in the sheet: those left out, and those among the rows of the text. */
export type Hidden = { hiddenLeft: number; hiddenTaken: number }
type NotRead = Exclude<FileEnd, { kind: 'read' }> | { kind: 'refused'; code: FaultCode; why: string }
/** `same`: the file is a text and needs no change. `sheet`: the workbook's sheet that the text was made from. `firstLine`: the number of the text's first line. `outside`: numbers that the text lacks. */
export type TableEnd =
  | { kind: 'same' }
  | ({ kind: 'text'; bytes: number; sheet: string | null; firstLine: number; outside: MoreNumbers } & Hidden)
  | { kind: 'look'; look: Look }
  | NotRead

const shownRows = 10
const shownCells = 30
const shownSigns = 60

/** Turns a workbook, or a text whose columns a person chose, into the text of a contact file; or returns its first rows. */
export async function readTable(job: TableJob): Promise<TableEnd> {
  try {
    const zip = await zipTypeOf(job)
    if (zip !== null) return await ofWorkbook(job, zip)
    return (await isFileOfCards(job)) ? await ofCards(job) : await ofRows(job, { rows: () => recordsOf(job) })
  } catch (error) {
    if (error instanceof Unreadable) return error.end
    if (error instanceof Refused) return { kind: 'refused', code: error.code, why: error.message }
    throw error
  }
}

/** Null when the file is no zip. */
async function zipTypeOf({ path, declaredType }: Source): Promise<string | null> {
  await using handle = await open(path)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  const format = formatOf(buffer.subarray(0, bytesRead), declaredType)
  const type = 'unsupported' in format ? format.unsupported : ''
  return type === workbookType || type === zipType ? type : null
}

async function ofWorkbook(job: TableJob, type: string): Promise<TableEnd> {
  let at = ''
  try {
    const workbook = await Workbook.open(job.path)
    try {
      const { sheets, sheet } = await sheetOf(workbook, job.sheet, (name) => (at = ` in the sheet '${name}'`))
      async function* rows(): AsyncGenerator<Row[]> {
        for await (const batch of workbook.rows(sheet))
          yield batch.map(({ row, cells, isHidden }) => ({ line: row, cells, isHidden }))
      }
      return await ofRows(job, {
        rows,
        book: { sheets, sheet: sheet.name },
        outside: () => numbersInOthers(workbook, sheet),
      })
    } finally {
      workbook.close()
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error
    if (error instanceof TypeError && codeOf(error) === undefined) throw error // ours, not the file's
    if (type === zipType && at === '') throw unsupported(type, whyUnsupported(type))
    if (error instanceof Refused)
      throw new Refused(`${error.message}${error.code === 'not_readable' ? at : ''}`, error.code)
    throw new Refused(`cannot be read${at}: the Excel file is damaged. Open it in Excel and save it again`)
  }
}

/** The sheet that was asked for, else the first one with rows, and the names of all sheets with rows. */
async function sheetOf(workbook: Workbook, asked: string | undefined, begin: (name: string) => void) {
  const used = []
  for (const sheet of workbook.sheets) {
    begin(sheet.name)
    if (await hasRows(workbook.rows(sheet))) used.push(sheet)
  }
  const names = used.map(({ name }) => name)
  const [only] = used
  if (!only) throw new Refused('has no rows in any sheet that is not hidden', 'no_rows')
  const sheet = asked === undefined ? only : used.find(({ name }) => name === asked)
  if (!sheet) throw new Refused(`has no rows in a sheet '${asked}': it has them in ${namesOf(names)}`, 'which_sheet')
  begin(sheet.name)
  return { sheets: names, sheet }
}

async function hasRows(rows: AsyncGenerator<unknown[]>): Promise<boolean> {
  for await (const batch of rows) if (batch.length > 0) return true
  return false
}

async function ofCards(job: TableJob): Promise<TableEnd> {
  const rows = () => cardsOf(job)
  return await ofRows(job, { rows, names: await cardColumns(rows()) })
}

export async function* recordsOf({ path, declaredType, sizeMax, firstLine = 1 }: Source): AsyncGenerator<Row[]> {
  let rows: Row[] = []
  const begin = () => (cells: string[], line: number) => void rows.push({ line, cells })
  for await (const _ of readRecords({ path, declaredType, sizeMax, firstLine }, begin)) {
    yield rows
    rows = []
  }
}

export async function firstOf(rows: AsyncIterable<Row[]>): Promise<Row | undefined> {
  for await (const batch of rows) {
    const row = batch.find((one) => !isBlank(one))
    if (row) return row
  }
  return undefined
}

async function firstRows(rows: AsyncIterable<Row[]>, isTaken: (row: Row) => boolean): Promise<Row[]> {
  const first: Row[] = []
  for await (const batch of rows) {
    first.push(...batch.filter((row) => !isBlank(row) && isTaken(row)))
    if (first.length >= sampleRows) break
  }
  return first.slice(0, sampleRows)
}

/** `rows` begins a new reading. `names`: of columns that the file does not name itself. `outside`: numbers of the workbook that are in none of them. */
type Rows = {
  rows: () => AsyncIterable<Row[]>
  book?: Pick<Look, 'sheets' | 'sheet'>
  names?: string[]
  outside?: () => Promise<MoreNumbers>
}

async function ofRows(job: TableJob, of: Rows): Promise<TableEnd> {
  const { sheets, sheet } = of.book ?? { sheets: [], sheet: null }
  const takesHidden = job.want === 'text' && (job.isList === true || job.hiddenRows === 'take')
  const first = await firstRows(of.rows(), ({ isHidden = false }) => takesHidden || !isHidden)
  const found = findTable(first)
  if (job.want === 'look') return { kind: 'look', look: await lookAt(first, found, of) }
  if (job.sheet === undefined && sheets.length > 1)
    throw new Refused(`has rows in the sheets ${namesOf(sheets)}: say which one`, 'which_sheet')
  const { numbers = [] } = job
  const columns = job.columns ?? columnsToWrite(job, first[0], found, of.names) ?? readersOwn(numbers, first[0])
  if (!columns && of.book === undefined) return { kind: 'same' }
  using text = new TextFile(job.target, job.sizeMax, sheet, { numbers })
  const from = (job.columns?.header && job.columns.headerLine) || found.line
  const number = columns?.number ?? found.likely
  const hidden = { hiddenLeft: 0, hiddenTaken: 0 }
  let begun = false
  const takesTitles = job.isList === true && !job.columns
  const inTitles: Phone[] = []
  let titlesLeft = 0
  for await (const batch of of.rows())
    for (const { line, cells, isHidden = false } of batch) {
      const row = { line, cells: withoutEmptyFormulas(cells, number) }
      if (line < from && takesTitles) inTitles.push(...cells.flatMap(mobilesOf))
      else if (line < from && cells.some((cell) => hasNumberBeside(cell))) titlesLeft++
      if (line < from || (!begun && isBlank(row))) continue
      if (isHidden) hidden[takesHidden ? 'hiddenTaken' : 'hiddenLeft']++
      if (isHidden && !takesHidden) continue
      if (!begun && columns) text.begin(row, columns)
      else text.add(row)
      begun = true
    }
  // Behind all rows, which thereby keep their lines.
  for (const { e164 } of inTitles)
    text.add({ line: text.nextLine, cells: Array.from({ length: number + 1 }, (_, at) => (at === number ? e164 : '')) })
  if (hidden.hiddenLeft > 0 && job.askColumns && job.hiddenRows === undefined)
    throw new Refused(
      `has ${rowsThatAre(hidden.hiddenLeft)} hidden in the sheet: say whether to take them`,
      'hidden_rows',
    )
  const [missing] = text.unusedLines
  if (missing !== undefined) throw new Refused(`has no row in line ${missing}, for which a number was typed`, 'no_row')
  const above = titlesLeft > 0 ? [{ column: '', rows: titlesLeft, place: 'above' as const }] : []
  const outside = [...above, ...((await of.outside?.()) ?? [])]
  return { kind: 'text', bytes: text.end(), sheet, firstLine: text.firstLine, outside, ...hidden }
}

const mobilesOf = (cell: string): Phone[] => phonesOrWithin(cell).filter(({ kind }) => kind === 'mobile')

const rowsThatAre = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'row that is' : 'rows that are'}`

/** The columns of the table that was found; null where every reader finds the same ones. Of a list all columns are read, so nobody is asked which. */
function columnsToWrite(
  { askColumns, isList = false }: Pick<TextJob, 'askColumns' | 'isList'>,
  first: Row | undefined,
  { line, header, number, likely, close }: FoundTable,
  names?: string[],
): ChosenColumns | null {
  if (names) return { number: 0, header: false, names }
  if (number === null && askColumns && !(isList && close.length > 0))
    throw new Refused(
      close.length > 0
        ? `has numbers in the columns ${namesOf(close)}: say which one to use`
        : 'has no column in which most cells are numbers: say which one it is',
      'which_column',
    )
  const asRead = columnsIn(first?.cells ?? [])
  // Of a list all columns are read: its number stays in the column that is called so, which says why a row is refused.
  const isNamed = isList && header && (tierOfName(first?.cells[asRead.number] ?? '') ?? prefixTier) < prefixTier
  const isSame = first?.line === line && asRead.header === header && (isNamed || asRead.number === likely)
  if (first === undefined || isSame) return null
  return { number: likely, header, names: [] }
}

/** The columns that every reader finds, where numbers were typed: these are written into the text. */
function readersOwn(numbers: TypedNumbers, first: Row | undefined): ChosenColumns | null {
  if (numbers.length === 0 || first === undefined) return null
  const { number, header } = columnsIn(first.cells)
  return { number, header, names: [] }
}

async function lookAt(first: readonly Row[], found: FoundTable, of: Rows): Promise<Look> {
  const { rows, book } = of
  const { line, header, number, likely, close } = found
  let hiddenRows = 0
  if (book)
    for await (const batch of rows()) hiddenRows += batch.filter((row) => row.isHidden && row.line >= line).length
  const dateOrders = await ordersIn(first[0], found, of)
  const shown = first.slice(0, shownRows).map((row) => ({
    line: row.line,
    cells: withoutEmptyFormulas(row.cells, likely)
      .slice(0, shownCells)
      .map((cell) => cell.slice(0, shownSigns).toWellFormed()),
  }))
  const headerLine = header ? line : null
  const from = { sheets: book?.sheets ?? [], sheet: book?.sheet ?? null }
  return { ...from, header, headerLine, number, likely, close, hiddenRows, dateOrders, first: shown }
}

/** Reads on beyond the first rows only while dates can stand in either order. */
async function ordersIn(first: Row | undefined, found: FoundTable, { rows, names }: Rows): Promise<ColumnOrders> {
  const columns = columnsToWrite({ askColumns: false }, first, found, names)
  const orders = new OrdersFound()
  let named: Columns | null = null
  let seen = 0
  for await (const batch of rows()) {
    for (const { line, cells, isHidden } of batch) {
      if (line < found.line || isHidden || isBlank({ cells })) continue
      seen++
      const isFirst = named === null
      named ??= new Columns(columns ? headerOf(columns, cells) : cells)
      if (isFirst && (columns ? columns.header : named.header)) continue
      const stored = columns ? inOrder(columns, cells) : cells
      for (const [at, cell] of stored.slice(0, contactColumnsMax).entries())
        if (at !== named.mobileAt) orders.take(named.nameAt(at), cell.trim())
    }
    if (seen >= sampleRows && !orders.isOpen) break
  }
  return orders.orders
}

const pieceMax = 65_536

/** Writes each row at its old line number, so that reasons name the lines that people know. A header that is added above a row in line 1 has line 0. */
export class TextFile implements Disposable {
  readonly #file: number
  readonly #sizeMax: number
  readonly #sheet: string | null
  #piece = byteOrderMark
  #bytes = 0
  #line: number
  #firstLine: number
  #columns: ChosenColumns | null = null
  readonly #numbers: Map<number, string>

  constructor(
    target: string,
    sizeMax: number,
    sheet: string | null,
    { firstLine = 1, numbers = [] }: { firstLine?: number; numbers?: TypedNumbers } = {},
  ) {
    this.#numbers = new Map(numbers.map(({ line, number }) => [line, number]))
    this.#line = firstLine
    this.#firstLine = firstLine
    this.#file = openSync(target, 'wx')
    this.#sizeMax = sizeMax
    this.#sheet = sheet
  }

  begin(row: Row, columns: ChosenColumns): void {
    this.#columns = columns
    const header = headerOf(columns, row.cells)
    if (columns.header) return this.#write(header, row.line)
    if (row.line === 1) this.#line = this.#firstLine = 0
    this.#write(header, row.line - 1)
    this.add(row)
  }

  add(row: Row): void {
    const { line, cells } = row
    this.#write(this.#columns && !isBlank(row) ? this.#rowOf(this.#columns, row) : cells, line)
  }

  /** A row is known by the line of the text in which it begins, because that is what people are told. */
  #rowOf(columns: ChosenColumns, { line, cells }: Row): string[] {
    const begins = Math.max(this.#line, line)
    const number = this.#numbers.get(begins)
    this.#numbers.delete(begins)
    const ordered = inOrder(columns, cells)
    return number === undefined ? ordered : ordered.with(0, number)
  }

  #write(cells: readonly string[], line: number): void {
    for (; this.#line < line; this.#line++) this.#piece += '\r\n'
    const text = csvLine(cells)
    this.#piece += text
    this.#line += text.match(/\r\n|\n|\r/g)?.length ?? 1
    if (this.#piece.length >= pieceMax) this.#flush()
  }

  /** The lines of typed numbers for which no row came. */
  get unusedLines(): number[] {
    return [...this.#numbers.keys()]
  }

  get firstLine(): number {
    return this.#firstLine
  }

  get nextLine(): number {
    return this.#line
  }

  #flush(): void {
    const bytes = Buffer.from(this.#piece)
    this.#piece = ''
    this.#bytes += bytes.length
    if (this.#bytes > this.#sizeMax) throw new Refused(tooMuchText(this.#sheet, this.#sizeMax), 'too_large')
    writeSync(this.#file, bytes)
  }

  end(): number {
    this.#flush()
    return this.#bytes
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }
}
