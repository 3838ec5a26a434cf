import { contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import { fileProblem } from '../../../components/form/file-problem.ts'

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
export const contactFileTypes = `.csv,.txt,.xlsx,text/csv,text/plain,${workbookType}`

/** Before it is sent; null: nothing is wrong. */
export function contactFileProblem(file: { name: string; type: string; size: number }): string | null {
  return fileProblem(file, contactFileTypes, contactsMaxBytes)
}
