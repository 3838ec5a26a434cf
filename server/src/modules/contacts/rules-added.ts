import { contactColumnsMax } from '@ghanti/contract/contacts.ts'
import { bareName, columnsIn } from './rules.ts'

/**
 * How rows are added to a file. `header`: the file's first row with the columns that are new; null: it has none. `places`: where in the
 * file each column of what is added goes. `count`: how many columns there are afterwards. `isHeader`: what is added has a first row that names its columns.
 */
export type Joined = { header: string[] | null; places: number[]; isHeader: boolean; count: number }

/** Joins the columns of two files by their first rows, by name or, without names, by position. A text says why they do not go together. */
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

/** Where the column of that name is in the header, which gets it when it has none. */
function placeByName(header: string[], { number }: InFile, name: string): number {
  const found = header.findIndex((one, at) => at !== number && bareName(one) === bareName(name))
  return found >= 0 ? found : header.push(name) - 1
}

/** The cells of an added row where the file has them; a text says why it has none. */
export function placed(cells: readonly string[], { places }: Joined): string[] | string {
  const row: string[] = Array.from({ length: Math.max(0, ...places) + 1 }, () => '')
  for (const [at, cell] of cells.entries()) {
    const place = places[at]
    if (place !== undefined) row[place] = cell
    else if (cell.trim() !== '') return 'the row has more columns than the first one'
  }
  return row
}
