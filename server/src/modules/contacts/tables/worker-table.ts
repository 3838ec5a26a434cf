import { closeSync, openSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ChosenColumns } from '@ghanti/contract/contacts.ts'
import { byteOrderMark, csvLine } from '../../../lib/csv.ts'
import { codeOf } from '../../../lib/error-code.ts'
import { namesOf } from '../../../lib/list-of-names.ts'
import { columnsIn } from '../rules.ts'
import { formatOf, headBytes, workbookType } from '../rows/rules-format.ts'
import { readRecords, type FileEnd } from '../rows/worker-file.ts'
import { Unreadable } from '../rows/worker-records.ts'
import { findTable, isBlank, sampleRows, type FoundTable, type Row } from './rules-found.ts'
import { headerOf, inOrder, tooMuchText } from './rules-table.ts'
import { Refused } from './worker-part.ts'
import { Workbook } from './worker-workbook.ts'

export type Source = { path: string; declaredType: string; sizeMax: number; sheet?: string; firstLine?: number }
export type TableJob = Source &
  ({ want: 'text'; target: string; columns?: ChosenColumns; askColumns: boolean; isList?: boolean } | { want: 'look' })

export type Look = {
  /** A workbook's visible sheets that have rows; empty for a text. */
  sheets: string[]
  sheet: string | null
  header: boolean
  /** Found by the cells and the names; null when a person has to choose. */
  number: number | null
  headerLine: number | null
  /** The names of the columns between which neither decides. */
  close: string[]
  first: { line: number; cells: string[] }[]
}
type NotRead = Exclude<FileEnd, { kind: 'read' }> | { kind: 'refused'; code: string; why: string }
/** `same`: the file is a text and needs no change. `sheet`: the workbook's sheet that the text was made from. `firstLine`: the number of the text's first line. */
export type TableEnd =
  | { kind: 'same' }
  | { kind: 'text'; bytes: number; sheet: string | null; firstLine: number }
  | { kind: 'look'; look: Look }
  | NotRead

const shownRows = 10
const shownCells = 30
const shownSigns = 60

/** Turns a workbook, or a text whose columns a person chose, into the text of a contact file; or returns its first rows. */
export async function readTable(job: TableJob): Promise<TableEnd> {
  try {
    return (await isWorkbook(job)) ? await ofWorkbook(job) : await ofText(job)
  } catch (error) {
    if (error instanceof Unreadable) return error.end
    if (error instanceof Refused) return { kind: 'refused', code: error.code, why: error.message }
    throw error
  }
}

export async function isWorkbook({ path, declaredType }: Source): Promise<boolean> {
  await using handle = await open(path)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  const format = formatOf(buffer.subarray(0, bytesRead), declaredType)
  return 'unsupported' in format && format.unsupported === workbookType
}

async function ofWorkbook(job: TableJob): Promise<TableEnd> {
  let at = ''
  try {
    const workbook = await Workbook.open(job.path)
    try {
      const { sheets, sheet } = await sheetOf(workbook, job.sheet, (name) => (at = ` in the sheet '${name}'`))
      async function* rows(): AsyncGenerator<Row[]> {
        for await (const batch of workbook.rows(sheet)) yield batch.map(({ row, cells }) => ({ line: row, cells }))
      }
      return await ofRows(job, rows, { sheets, sheet: sheet.name })
    } finally {
      workbook.close()
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error
    if (error instanceof TypeError && codeOf(error) === undefined) throw error // ours, not the file's
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

async function ofText(job: TableJob): Promise<TableEnd> {
  return await ofRows(job, () => recordsOf(job), null)
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

async function firstRows(rows: AsyncIterable<Row[]>): Promise<Row[]> {
  const first: Row[] = []
  for await (const batch of rows) {
    first.push(...batch.filter((row) => !isBlank(row)))
    if (first.length >= sampleRows) break
  }
  return first.slice(0, sampleRows)
}

/** `ofBook`: of a workbook; null for a text. */
async function ofRows(
  job: TableJob,
  rows: () => AsyncIterable<Row[]>,
  ofBook: Pick<Look, 'sheets' | 'sheet'> | null,
): Promise<TableEnd> {
  const { sheets, sheet } = ofBook ?? { sheets: [], sheet: null }
  const first = await firstRows(rows())
  const found = findTable(first)
  if (job.want === 'look') return { kind: 'look', look: lookAt(first, found, { sheets, sheet }) }
  if (job.sheet === undefined && sheets.length > 1)
    throw new Refused(`has rows in the sheets ${namesOf(sheets)}: say which one`, 'which_sheet')
  const columns = job.columns ?? columnsToWrite(job, first[0], found)
  if (!columns && ofBook === null) return { kind: 'same' }
  using text = new TextFile(job.target, job.sizeMax, sheet)
  const from = (job.columns?.header && job.columns.headerLine) || found.line
  let begun = false
  for await (const batch of rows())
    for (const row of batch) {
      if (!begun && (isBlank(row) || row.line < from)) continue
      if (!begun && columns) text.begin(row, columns)
      else text.add(row)
      begun = true
    }
  return { kind: 'text', bytes: text.end(), sheet, firstLine: text.firstLine }
}

/** The columns of the table that was found; null where every reader finds the same ones. Of a list all columns are read, so nobody is asked which. */
function columnsToWrite(
  { askColumns, isList = false }: { askColumns: boolean; isList?: boolean },
  first: Row | undefined,
  { line, header, number, likely, close }: FoundTable,
): ChosenColumns | null {
  if (number === null && askColumns && !(isList && close.length > 0))
    throw new Refused(
      close.length > 0
        ? `has numbers in the columns ${namesOf(close)}: say which one to use`
        : 'has no column in which most cells are numbers: say which one it is',
      'which_column',
    )
  const asRead = columnsIn(first?.cells ?? [])
  if (first === undefined || (first.line === line && asRead.header === header && asRead.number === likely)) return null
  return { number: likely, header, names: [] }
}

function lookAt(
  first: readonly Row[],
  { line, header, number, close }: FoundTable,
  sheets: Pick<Look, 'sheets' | 'sheet'>,
): Look {
  const shown = first.slice(0, shownRows).map((row) => ({
    line: row.line,
    cells: row.cells.slice(0, shownCells).map((cell) => cell.slice(0, shownSigns).toWellFormed()),
  }))
  return { ...sheets, header, headerLine: header ? line : null, number, close, first: shown }
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

  constructor(target: string, sizeMax: number, sheet: string | null, firstLine = 1) {
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
    this.#write(this.#columns && !isBlank(row) ? inOrder(this.#columns, cells) : cells, line)
  }

  #write(cells: readonly string[], line: number): void {
    for (; this.#line < line; this.#line++) this.#piece += '\r\n'
    const text = csvLine(cells)
    this.#piece += text
    this.#line += text.match(/\r\n|\n|\r/g)?.length ?? 1
    if (this.#piece.length >= pieceMax) this.#flush()
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
