import { freeName, nameOfFile } from '../../components/form/files/named-after-file.ts'
import { contactFileProblem } from '../compose/contacts/contact-file.ts'
import { keepForm } from './kept-form.ts'
import { newFile, noFile, type NewFile } from './new-file.ts'

/** The page that checks a file begins with this one. `taken`: the names of the stored files. */
export function keepPicked(file: File, taken: readonly string[]): void {
  const problem = contactFileProblem(file)
  const baseName = freeName(nameOfFile(file.name), taken)
  keepForm<NewFile>(
    newFile,
    problem === null ? { baseFile: file, baseName, givenName: baseName } : { ...noFile, problem },
  )
}
