import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'

export type CsvCell = string | number | null

/** What a spreadsheet takes for a formula when a cell begins with it. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const plainNumber = /^-\d+(\.\d+)?$/

/** The cell as every CSV of ours holds it: one that a spreadsheet would run gets an apostrophe in front (docs/api.md#files). */
export function harmless(cell: CsvCell): CsvCell {
  if (typeof cell !== 'string' || !formula.test(cell) || plainNumber.test(cell)) return cell
  return `'${cell}`
}

const wantsQuotes = /[",;\t\r\n]|^\s|\s$/

/** A line with its end, cells as they are; one that a reader might take for several, or shorten, is quoted. */
export function csvLine(cells: readonly CsvCell[]): string {
  let line = ''
  for (const [at, cell] of cells.entries()) {
    if (at > 0) line += ','
    if (typeof cell === 'string') line += wantsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
    else if (cell !== null) line += cell
  }
  return `${line}\r\n`
}
export const byteOrderMark = '\ufeff'

/**
 * A CSV for people: UTF-8 with byte order mark, Windows line ends, a header, harmless cells. Rows are taken as fast as the reader reads;
 * closing the stream ends them, an error of theirs ends it.
 */
export function csvStream(
  header: readonly string[],
  rows: Iterable<readonly CsvCell[]> | AsyncIterable<readonly CsvCell[]>,
): Readable {
  async function* cells(): AsyncGenerator<CsvCell[]> {
    yield header.map(harmless)
    for await (const row of rows) yield row.map(harmless)
  }
  const text = stringify({ bom: true, record_delimiter: 'windows' })
  pipeline(Readable.from(cells()), text, () => {}) // its error is the stream's
  return text
}
