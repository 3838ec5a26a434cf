import type { ChosenColumns, HiddenRows, TypedNumbers } from '@ghanti/contract/contacts.ts'
import { ApiError } from '../../../api/error.ts'

/** How a file is sent. `askColumns: undefined`: it is stored although many of its rows cannot be called. */
export type FileReading = {
  sheet?: string
  columns?: ChosenColumns
  hiddenRows?: HiddenRows
  numbers?: TypedNumbers
  askColumns?: undefined
}

/** A file that was refused, as it had been sent: somebody may choose its sheet, columns and hidden rows, and send it again. */
export type AskedFile = { file: File; refusal: ApiError; reading: FileReading }

const askedCodes = ['which_sheet', 'which_column', 'hidden_rows', 'no_numbers', 'many_refused', 'columns']
/** Whether other columns may be the answer to a refusal. A file without rows has none. */
export function askedAbout(file: File | null, error: unknown, reading: FileReading): AskedFile | null {
  if (!file || !(error instanceof ApiError) || error.file?.rows === 0) return null
  return error.errors.some(({ code }) => askedCodes.includes(code)) ? { file, refusal: error, reading } : null
}
