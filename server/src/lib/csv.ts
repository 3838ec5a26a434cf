import { Readable } from 'node:stream'

export type CsvCell = string | number | null

/**
 * The type of a column, for spreadsheets and Parquet. Telephone numbers are texts; an `id` may exceed 32 bits; a `time` is 'yyyy-MM-dd HH:mm:ss' in
 * Nepal.
 */
export type CellKind = 'text' | 'whole' | 'id' | 'number' | 'time'

/** Beginnings of cells that a spreadsheet takes for a formula. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const plainNumber = /^-\d+(\.\d+)?$/

/** A cell that a spreadsheet would run gets an apostrophe in front (docs/api.md#files). */
export function harmless(cell: CsvCell): CsvCell {
  if (typeof cell !== 'string' || !formula.test(cell) || plainNumber.test(cell)) return cell
  return `'${cell}`
}

const wantsQuotes = /[",;\t\r\n]|^\s|\s$/

/** A line with its line end; cells are not made harmless. Quotes a cell that a reader might split or shorten. */
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
  return byteOrderMark + [header, ...rows].map((cells) => csvLine(cells.map(harmless))).join('')
}

/** Lines are sent in pieces of about this length: a piece for each would cost more than the line. */
const pieceLength = 16_384

/**
 * A CSV for people: UTF-8 with byte order mark, Windows line ends, a header, harmless cells. Rows are produced as fast as they are read. Closing the
 * stream ends them, and their errors end the stream.
 */
export function csvStream(
  header: readonly string[],
  rows: Iterable<readonly CsvCell[]> | AsyncIterable<readonly CsvCell[]>,
): Readable {
  async function* pieces(): AsyncGenerator<string> {
    let piece = byteOrderMark + csvLine(header.map(harmless))
    for await (const row of rows) {
      piece += csvLine(row.map(harmless))
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
    }
    yield piece
  }
  return Readable.from(pieces(), { objectMode: false })
}
