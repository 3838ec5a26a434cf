import { contactColumnsMax } from '@ghanti/contract/contacts.ts'
import { phonesIn } from '@ghanti/contract/phone.ts'
import { hasNumber, isHeader, prefixTier, tierOfName } from '../rules-columns.ts'

/** `isHidden`: in its sheet. */
export type Row = { line: number; cells: string[]; isHidden?: boolean }

/**
 * Where the table of a file begins, and which column has its numbers.
 * - line: of the header, or of the first row where there is none; rows above are titles. 0 for a file without rows
 * - number: null when a person has to choose it
 * - likely: the number's column if nobody is asked
 * - close: the columns between which neither cells nor names decide, by their headers or letters; else empty
 */
export type FoundTable = { line: number; header: boolean; number: number | null; likely: number; close: string[] }

/** How many rows that are not blank are looked at. */
export const sampleRows = 500
/** How many of them may stand above a header. */
const topRows = 20

export const isBlank = ({ cells }: Pick<Row, 'cells'>): boolean => cells.every((cell) => cell.trim() === '')
const filledIn = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length

type Column = { at: number; tier: number | null; score: number; filled: number }

/** `rows`: the first ones of a file that are not blank. */
export function findTable(rows: readonly Row[]): FoundTable {
  const [first] = rows
  if (!first) return { line: 0, header: false, number: 0, likely: 0, close: [] }
  const columns = columnsOf(rows)
  const { number, likely, close } = numberAmong(columns)
  const header = headerAbove(rows, likely)
  const named = (at: number): string => header?.cells[at]?.replace(/\s+/g, ' ').trim() || `column ${at + 1}`
  return {
    line: (header ?? first).line,
    header: header !== null,
    number,
    likely,
    close: close.map(({ at }) => named(at)),
  }
}

function columnsOf(rows: readonly Row[]): Column[] {
  const widths = rows.map(({ cells }) =>
    Math.min(cells.findLastIndex((cell) => cell.trim() !== '') + 1, contactColumnsMax),
  )
  const count = Math.max(...widths)
  const top = rows.slice(0, topRows).filter(({ cells }) => filledIn(cells) >= Math.min(2, count))
  const columns = Array.from({ length: count }, (_, at): Column & { mobiles: number; landlines: number } => {
    const tiers = top.flatMap(({ cells }) => tierOfName(cells[at] ?? '') ?? [])
    const kinds = rows.flatMap(({ cells }) => phonesIn(cells[at] ?? '')[0]?.kind ?? [])
    const mobiles = kinds.filter((kind) => kind === 'mobile').length
    return {
      at,
      tier: tiers.length > 0 ? Math.min(...tiers) : null,
      score: 0,
      filled: rows.filter(({ cells }) => (cells[at] ?? '').trim() !== '').length,
      mobiles,
      landlines: kinds.length - mobiles,
    }
  })
  // An account's number may look like a landline, so landlines count where the column is named, or nothing else can be called.
  const ofMobiles = columns.some(({ mobiles, tier }) => mobiles > 0 || tier !== null)
  for (const column of columns)
    column.score = column.mobiles + column.landlines * (column.tier !== null || !ofMobiles ? 0.5 : 0)
  return columns
}

/** Beside the best column, one with two thirds of its numbers is as likely. */
const closeShare = 2 / 3
const sureOf = ({ tier }: Column): number => tier ?? prefixTier + 1

function numberAmong(columns: readonly Column[]): { number: number | null; likely: number; close: Column[] } {
  const used = columns.filter(({ filled }) => filled > 0)
  const bySureness = (some: readonly Column[]) => some.toSorted((a, b) => sureOf(a) - sureOf(b) || b.score - a.score)
  const [named] = bySureness(used.filter(({ tier }) => tier !== null))
  const best = Math.max(0, ...used.map(({ score }) => score))
  if (best === 0) {
    if (named) return { number: named.at, likely: named.at, close: [] }
    return { number: used.length > 1 ? null : 0, likely: 0, close: [] }
  }
  const close = used.filter(({ score }) => score >= best * closeShare)
  const [likely, second] = bySureness(close)
  if (!likely) throw new Error('the best column is not close to itself')
  if (second) {
    const isSure = sureOf(likely) < prefixTier && sureOf(likely) < sureOf(second)
    return isSure ? { number: likely.at, likely: likely.at, close: [] } : { number: null, likely: likely.at, close }
  }
  // A few numbers in a column of other things are no column of numbers.
  const isColumn = likely.tier !== null || likely.score * 2 >= likely.filled - 1 || used.length === 1
  if (isColumn) return { number: likely.at, likely: likely.at, close: [] }
  return { number: null, likely: named?.at ?? likely.at, close: [] }
}

/**
 * The row that names the columns: the one that names the number's best, else the first of several names below titles of fewer cells. A row with a
 * number to call names none: 'Mobile: 9841000001' may be a title above it, or the first of such rows.
 */
function headerAbove(rows: readonly Row[], number: number): Row | null {
  const above = titlesIn(rows, number).filter(({ cells }) => !hasNumber(cells[number] ?? ''))
  const tiers = above.map(({ cells }) => tierOfName(cells[number] ?? '') ?? Infinity)
  const surest = Math.min(...tiers)
  if (surest < Infinity) return above[tiers.lastIndexOf(surest)] ?? null
  const wide = above.find(
    ({ cells }, at) =>
      filledIn(cells) > 1 &&
      !cells.some((cell) => /\p{Nd}/u.test(cell)) &&
      above.slice(0, at).every((title) => filledIn(title.cells) < filledIn(cells)),
  )
  if (wide) return wide
  const [first] = rows
  return first && isHeader(first.cells) ? first : null
}

/** The first rows, up to the first with a number to call. A title may have one with a word before it: 'Tel: 01-5970123'. */
function titlesIn(rows: readonly Row[], number: number): Row[] {
  const isOfNumber = ({ cells }: Row): boolean =>
    phonesIn(cells[number] ?? '').length > 0 && (filledIn(cells) > 1 || !/\p{L}/u.test(cells[number] ?? ''))
  const end = rows.findIndex((row) => isOfNumber(row))
  return rows.slice(0, Math.min(end < 0 ? rows.length : end, topRows))
}
