import type { ChosenColumns, FileLook } from '@ghanti/contract/contacts.ts'
import { guessColumns, positionOf } from './column-names.ts'
import type { FileReading } from './file-reading.ts'

/** What a person says of a file: the line of the header, if it has one, the number's position, and the columns' new names ('': its own). */
export type Choice = { header: number | null; number: number | null; names: string[] }

export function columnCount({ first }: FileLook): number {
  return Math.max(0, ...first.map(({ cells }) => cells.length))
}

/** The names that the columns would have: those chosen, else the header's. */
export function namesOf({ first }: FileLook, { header, names }: Choice): string[] {
  const cells = first.find(({ line }) => line === header)?.cells ?? []
  return names.map((name, at) => name || (cells[at] ?? ''))
}

const foundHeader = ({ header, headerLine, first }: FileLook): number | null =>
  header ? (headerLine ?? first[0]?.line ?? null) : null

/** What the check reads, where that is not what it finds by itself. */
export function checkedColumns(look: FileLook, { header, number }: Choice): ChosenColumns | undefined {
  if (number === null || (number === look.checked?.number && header === foundHeader(look))) return undefined
  return { number, header: header !== null, ...(header !== null && { headerLine: header }), names: [] }
}

/** What is offered first: what was chosen before the refusal, else what is likely. `wanted`: the columns that a template speaks. */
export function firstChoice(look: FileLook, reading: FileReading, wanted: readonly string[]): Choice {
  const names = Array.from({ length: columnCount(look) }, () => '')
  const { columns } = reading
  if (columns && (reading.sheet ?? look.sheet) === look.sheet) {
    const header = columns.header ? (columns.headerLine ?? foundHeader(look)) : null
    return { header, number: columns.number, names: names.map((_, at) => columns.names[at] ?? '') }
  }
  const choice = { header: foundHeader(look), number: look.number ?? look.checked?.number ?? null, names }
  const taken = choice.number === null ? [] : [choice.number]
  for (const [index, at] of guessColumns(wanted, namesOf(look, choice), taken).entries())
    if (at !== null) choice.names = spokenFrom(look, choice, wanted[index] ?? '', at)
  return choice
}

/** The names when the template's column is read from this position; null: from nowhere. */
export function spokenFrom(look: FileLook, choice: Choice, wanted: string, at: number | null): string[] {
  const names = choice.names.map((name) => (positionOf(wanted, [name]) === 0 ? '' : name))
  const isSo = at !== null && positionOf(wanted, namesOf(look, { ...choice, names })) === at
  return at === null || isSo ? names : names.with(at, wanted)
}

/** What to send. A choice that is what was found is not sent, so that the file is stored as it is. */
export function readingOf(look: FileLook, { header, number, names }: Choice): FileReading {
  const sheet = look.sheet === null ? {} : { sheet: look.sheet }
  const isFound = number === look.number && header === foundHeader(look) && names.every((name) => name.trim() === '')
  if (isFound || number === null) return sheet
  const line = header === null ? {} : { headerLine: header }
  return { ...sheet, columns: { number, header: header !== null, ...line, names } }
}
