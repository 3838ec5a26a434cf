import type { HiddenRows } from '@ghanti/contract/contacts.ts'
import type { Choice } from './choice.ts'

/** A row as it was refused, and what was typed in place of its number. */
export type TypedRow = { line: number; text: string; number: string; reason: string; typed: string }

/** What a person has said of a file. `choice`: null while it is what is proposed. */
export type Kept = {
  sheet: string | undefined
  choice: Choice | null
  hiddenRows: HiddenRows
  typed: readonly TypedRow[]
}

/** As long as the page has the file, so that closing the sheet or going back loses nothing. */
export const keptOfFile = new WeakMap<File, Kept>()
