import { contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import { notSupported, tooLarge } from '@ghanti/contract/messages.ts'
import { nameMax } from '@ghanti/contract/values.ts'

export const contactFileTypes = '.csv,.txt,text/csv,text/plain'

/** What is wrong with a picked file, before it is sent; null: nothing. By its ending, since Windows calls a CSV what it likes; the server judges the content. */
export function contactFileProblem(
  file: { name: string; type: string; size: number },
  maxBytes: number = contactsMaxBytes,
): string | null {
  const ending = /\.[^.]+$/.exec(file.name)?.[0].toLowerCase() ?? ''
  if (!['.csv', '.txt'].includes(ending)) return notSupported(file.type || ending || file.name)
  return file.size > maxBytes ? tooLarge(file.size) : null
}

/** 'Members June.csv' → 'Members June' */
export function baseNameOf(fileName: string): string {
  return fileName
    .replace(/\.[^.]+$/, '')
    .trim()
    .slice(0, nameMax)
}
