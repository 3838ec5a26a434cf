import { contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import { fileProblem } from '../../components/form/file-problem.ts'

export const contactFileTypes = '.csv,.txt,text/csv,text/plain'

/** What is wrong with a file of contacts, before it is sent; null: nothing. */
export function contactFileProblem(file: { name: string; type: string; size: number }): string | null {
  return fileProblem(file, contactFileTypes, contactsMaxBytes)
}
