import { Readable } from 'node:stream'

export type CsvCell = string | number | null

/**
 * The type of a column, for spreadsheets and Parquet. Telephone numbers are texts; an `id` may exceed 32 bits; `money` is in rupees; a `time` is
 * 'yyyy-MM-dd HH:mm:ss' in Nepal. `value` is what a contact file had, and `outcome` the code of how a call ended: texts, of which a spreadsheet shows
 * numbers and words.
 */
export type CellKind = 'text' | 'whole' | 'id' | 'money' | 'time' | 'value' | 'outcome'

/** Beginnings of cells that a spreadsheet takes for a formula. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const plainNumber = /^-\d+(\.\d+)?$/

/**
 * Digits that a spreadsheet would show as another number: it drops a leading 0, shortens more than eleven to 1.23E+15, and takes the code 12E5 for
 * 1200000. A formula takes 255. Texts like dates stay: most are the times of our own columns, which are to be dates there.
 */
const changed = /^(?:0\d{1,254}|0\d{1,99}\.\d{1,99}|\d{12,255})$/
const exponent = /^\d{1,15}[Ee]\d{1,3}$/
const [zero, nine, equals, apostrophe] = ['0', '9', '=', "'"].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
]
/** What stands before a formula so that it is none. A text that has it by itself gets one more, so that reading gives it back. */
const quoted = /^'{1,255}[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** A cell that a spreadsheet would run gets an apostrophe in front; digits that it would change become ="015970123" (docs/api.md#files). */
export function forSpreadsheet(cell: CsvCell): CsvCell {
  if (typeof cell !== 'string') return cell
  const first = cell.charCodeAt(0)
  if (first >= zero && first <= nine) {
    if (exponent.test(cell)) return `="${cell}"`
    if (first !== zero && cell.length < 12) return cell // most cells
    return changed.test(cell) ? `="${cell}"` : cell
  }
  if (first === apostrophe ? !quoted.test(cell) : !formula.test(cell) || plainNumber.test(cell)) return cell
  return `'${cell}`
}

/** Rupees as every CSV writes them, with two decimals. */
export function rupeesCell(rupees: number | null): string | null {
  return rupees === null ? null : rupees.toFixed(2)
}

/** A cell of a table as a CSV has it. */
export function csvCell(cell: CsvCell, kind: CellKind | undefined): CsvCell {
  return kind === 'money' && typeof cell === 'number' ? rupeesCell(cell) : cell
}

/** The cells of a record as a spreadsheet shows them, and as they were before `forSpreadsheet`: what is written as ="015970123" is the text in quotes. */
export function fromSpreadsheet(cells: string[]): string[] {
  if (!cells.some(isWrapped)) return cells
  return cells.map((cell) =>
    cell.startsWith('=') ? cell.replace(wrapped, '$1') : quoted.test(cell) ? cell.slice(1) : cell,
  )
}

const isWrapped = (cell: string): boolean => cell.charCodeAt(0) === equals || cell.charCodeAt(0) === apostrophe
const wrapped = /^="([^"]*)"$/

const wantsQuotes = /[",;\t\r\n]|^\s|\s$/

/** A line with its line end; cells are written as they are. Quotes a cell that a reader might split or shorten. */
export function csvLine(cells: readonly CsvCell[]): string {
  let line = ''
  for (const [at, cell] of cells.entries()) {
    if (at > 0) line += ','
    if (typeof cell === 'string') line += wantsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
    else if (cell !== null) line += cell
  }
  return `${line}\r\n`
}
export const csvType = 'text/csv; charset=utf-8'
export const byteOrderMark = '\ufeff'

export function csvText(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return byteOrderMark + [header, ...rows].map((cells) => csvLine(cells.map(forSpreadsheet))).join('')
}

/** Lines are sent in pieces of about this length: a piece for each would cost more than the line. */
const pieceLength = 16_384

/**
 * A CSV for people: UTF-8 with byte order mark, Windows line ends, a header, cells for a spreadsheet. Rows are produced as fast as they are read. Closing the
 * stream ends them, and their errors end the stream.
 */
export function csvStream(
  header: readonly string[],
  rows: Iterable<readonly CsvCell[]> | AsyncIterable<readonly CsvCell[]>,
): Readable {
  async function* pieces(): AsyncGenerator<string> {
    let piece = byteOrderMark + csvLine(header.map(forSpreadsheet))
    for await (const row of rows) {
      piece += csvLine(row.map(forSpreadsheet))
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
    }
    yield piece
  }
  return Readable.from(pieces(), { objectMode: false })
}
