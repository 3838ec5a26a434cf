import { contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import { fileProblem } from '../../../components/form/files/file-problem.ts'
import { contactFileTypes } from './contact-file-types.ts'

/** What is wrong with a contact file before it is sent; null when nothing is. */
export function contactFileProblem(file: { name: string; type: string; size: number }): string | null {
  return fileProblem(file, contactFileTypes, contactsMaxBytes)
}
