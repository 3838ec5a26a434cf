import { contactColumnsMax } from '@ghanti/contract/contacts.ts'
import { bareName, columnsIn } from './rules-columns.ts'

/**
 * How the rows of one file are added to another.
 * - header: the stored file's header, extended by new columns; null when it has no header
 * - places: for each added column, its position in the stored file
 * - isHeader: the first added row is a header
 * - count: the number of columns afterwards
 */
export type Joined = { header: string[] | null; places: number[]; isHeader: boolean; count: number }

/** Matches the columns of two files by their first rows: by name, or by position where there are no names. A text: why they do not match. */
export function joinColumns(stored: readonly string[], added: readonly string[]): Joined | string {
  const [into, from] = [columnsIn(stored), columnsIn(added)]
  const others = positionsOfOthers(into)
  const header = into.header ? [...stored] : null
  const places: number[] = []
  let nth = 0
  for (const [at, name] of from.names.entries()) {
    if (at === from.number) places.push(into.number)
    else if (header && from.header) places.push(placeByName(header, into, name))
    else if (from.header)
      return 'names its columns, which the stored file does not: send only numbers, or leave the names out'
    else {
      const place = others[nth++]
      if (place === undefined)
        return `has more columns than the stored file: the columns of that are ${into.names.length}`
      places.push(place)
    }
  }
  if (header && header.length > contactColumnsMax)
    return `would have more than ${contactColumnsMax} columns with the stored file`
  const after = header && columnsIn(header)
  if (after && (!after.header || after.number !== into.number))
    return 'has a column that would be taken for the number of the stored file: give it another name'
  return { header, places, isHeader: from.header, count: header?.length ?? into.names.length }
}

type InFile = ReturnType<typeof columnsIn>

function positionsOfOthers({ names, number }: InFile): number[] {
  return names.map((_, at) => at).filter((at) => at !== number)
}

/** The position of the named column; adds it to the header if it is not there. */
function placeByName(header: string[], { number }: InFile, name: string): number {
  const found = header.findIndex((one, at) => at !== number && bareName(one) === bareName(name))
  return found >= 0 ? found : header.push(name) - 1
}

/** The cells of an added row in the order of the stored file, or why they have no place there. */
export function placed(cells: readonly string[], { places }: Joined): string[] | string {
  const row: string[] = Array.from({ length: Math.max(0, ...places) + 1 }, () => '')
  for (const [at, cell] of cells.entries()) {
    const place = places[at]
    if (place !== undefined) row[place] = cell
    else if (cell.trim() !== '') return 'the row has more columns than the first one'
  }
  return row
}
