import { contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import { fileProblem } from '../../../components/form/files/file-problem.ts'

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
export const contactFileTypes = `.csv,.txt,.xlsx,.vcf,text/csv,text/plain,text/vcard,text/x-vcard,${workbookType}`

/** What is wrong with a contact file before it is sent; null when nothing is. */
export function contactFileProblem(file: { name: string; type: string; size: number }): string | null {
  return fileProblem(file, contactFileTypes, contactsMaxBytes)
}
