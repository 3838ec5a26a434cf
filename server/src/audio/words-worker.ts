import { threadInTurn } from '../workers/thread-in-turn.ts'
import type { TelephoneWav } from './wav.ts'

export type WordsJob = {
  path: string
  /** As uploaded. Files in a zip have their own names. */
  fileName: string
  secondsMax: number
  fileBytesMax: number
  filesMax: number
}
/** `refused`: why the file cannot be used. */
export type WordFile = { fileName: string } & ({ wav: TelephoneWav } | { refused: string })
export type WordsReply = { files: WordFile[] } | { refused: string }

/** Reads recordings of words, one wav or a zip of them, in a thread of its own, one upload at a time, by turns of accounts. */
export const readWords = threadInTurn<WordsJob, WordsReply>({
  url: new URL('./words-thread.ts', import.meta.url),
  what: 'reading recordings',
  secondsMax: 120,
})
