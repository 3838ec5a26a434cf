import { mebibyte } from '@ghanti/contract/values.ts'
import { contactColumnsMax, type ChosenColumns } from '@ghanti/contract/contacts.ts'

export const tooMuchText = (sheet: string | null, sizeMax: number): string =>
  `has more than ${sizeMax / mebibyte} MB of text${sheet === null ? '' : ` in the sheet '${sheet}'`}: take columns out or split it`

/** The header made of the columns that a person chose. The number comes first and is called 'mobile', so that no other column is taken for it. */
export function headerOf({ number, header, names }: ChosenColumns, first: readonly string[]): string[] {
  const count = Math.min(Math.max(names.length, first.length, number + 1), contactColumnsMax)
  const named = Array.from({ length: count }, (_, at) => (names[at] ?? '').trim() || (header ? (first[at] ?? '') : ''))
  return inOrder({ number }, named).with(0, 'mobile')
}

export function inOrder({ number }: Pick<ChosenColumns, 'number'>, cells: readonly string[]): string[] {
  return [cells[number] ?? '', ...cells.filter((_, at) => at !== number)]
}
