import * as path from 'node:path'
import type { DateOrder } from '@ghanti/contract/date-orders.ts'
import { contactsMaxBytes, type ChosenColumns, type HiddenRows, type TypedNumbers } from '@ghanti/contract/contacts.ts'
import type { MoreNumbers } from '@ghanti/contract/more-numbers.ts'
import { notSupported, tooLarge } from '@ghanti/contract/messages.ts'
import { dialable, whyNotDialable } from '@ghanti/contract/phone.ts'
import type { App } from '../../app.ts'
import { AppError, badField } from '../../errors.ts'
import type { StagedFile } from '../../http/types.ts'
import { withWorkFolder } from '../../lib/work-folder.ts'
import { contactTurn } from './rows/worker.ts'
import type { FileEnd } from './rows/worker-file.ts'
import type { Hidden, Look, TableEnd } from './tables/worker-table.ts'
import { tableOf } from './tables/worker.ts'

/** How a person wants a file to be read. `askColumns`: refuse a file where neither cells nor names say which column is the number's, so that the console can ask. */
export type Reading = {
  sheet?: string | undefined
  columns?: ChosenColumns | undefined
  numbers?: TypedNumbers | undefined
  askColumns?: 'yes' | undefined
  hiddenRows?: HiddenRows | undefined
  /** By the names that the columns have when the file is stored. */
  dateOrders?: Readonly<Record<string, DateOrder>> | undefined
}
/**
 * `sheet`: the workbook's sheet that the text was made from. `firstLine`: as people number the lines of their file. `outside`: numbers of the file that
 * the text lacks.
 */
export type TextFile = StagedFile & { sheet: string | null; firstLine: number; outside: MoreNumbers } & Hidden
/** `isList`: every number of the file is taken, in whatever column and whether its row is hidden. */
type From = { app: App; accountId: number; file: StagedFile; field: string; isList?: boolean }

const unchanged = { sheet: null, firstLine: 1, outside: [], hiddenLeft: 0, hiddenTaken: 0 }

/** Runs `use` with the file as a text whose first row is its header, if it has one. What is not written so is converted into a temporary file, which is deleted afterwards. */
export async function withText<T>(
  { app, accountId, file, field, isList = false }: From,
  reading: Reading,
  use: (text: TextFile) => Promise<T>,
): Promise<T> {
  const { sheet, columns, hiddenRows, numbers } = reading
  refuseWrongNumbers(numbers)
  const askColumns = reading.askColumns === 'yes'
  const source = { path: file.path, declaredType: file.declaredType, sizeMax: contactsMaxBytes }
  return await withWorkFolder(app, 'uploads-as-text', async (folder) => {
    const target = path.join(folder, 'contacts.csv')
    const asked = {
      ...(sheet !== undefined && { sheet }),
      ...(columns && { columns }),
      ...(numbers && { numbers }),
      ...(hiddenRows && { hiddenRows }),
    }
    const job = { ...source, ...asked }
    const end = await contactTurn(accountId, () => tableOf({ ...job, want: 'text', target, askColumns, isList }))
    if (end.kind === 'same') return await use({ ...file, ...unchanged })
    if (end.kind !== 'text') throw notRead(end, field, file.size)
    const { kind: _, bytes: size, ...made } = end
    return await use({ ...file, path: target, size, declaredType: 'text/csv', ...made })
  })
}

/** What somebody types instead of a number must be one: otherwise the row would be refused for what is not in the file. */
function refuseWrongNumbers(numbers: TypedNumbers = []): void {
  const wrong = numbers.find(({ number }) => dialable(number) === null)
  if (!wrong) return
  const { line, number } = wrong
  throw badField('numbers', `has ${number} for line ${line}, which ${whyNotDialable(number)}`, 'not_callable')
}

/** The first rows of a file, unchanged, and what its header says of its columns. */
export async function lookAt({ accountId, file, field }: Omit<From, 'app'>, sheet: string | undefined): Promise<Look> {
  const source = { path: file.path, declaredType: file.declaredType, sizeMax: contactsMaxBytes }
  const end = await contactTurn(accountId, () =>
    tableOf({ ...source, ...(sheet !== undefined && { sheet }), want: 'look' }),
  )
  if (end.kind !== 'look') throw notRead(end, field, file.size)
  return end.look
}

export function notRead(end: Exclude<TableEnd | FileEnd, { kind: 'read' }>, field: string, size: number): Error {
  switch (end.kind) {
    case 'tooLarge':
      return new AppError('too_large', [], { message: tooLarge(size) })
    case 'broken':
      return badField(field, end.why, 'not_readable')
    case 'refused':
      return badField(field, end.why, end.code)
    case 'unsupported':
      return new AppError('not_supported', [{ field, code: 'not_supported', text: end.why }], {
        message: notSupported(end.type),
      })
    default:
      return new Error(`a contact file was read for something else: ${end.kind}`)
  }
}
