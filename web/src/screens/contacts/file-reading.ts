import type { contactRoutes } from '@ghanti/contract/contacts.ts'
import type { SentOf } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'

/** How a file is read, as a person chose it. */
export type FileReading = Pick<SentOf<typeof contactRoutes.baseUpload>, 'sheet' | 'columns'>

const askedCodes = ['which_sheet', 'which_column']
/** Whether the server must be told the sheet or the columns of a file. */
export function mustBeAsked(error: unknown): boolean {
  return error instanceof ApiError && error.errors.some(({ code }) => askedCodes.includes(code))
}
