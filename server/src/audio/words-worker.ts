import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import { FairSemaphore } from '../lib/fair-semaphore.ts'
import type { Whose } from '../lib/fair-queue.ts'
import { fileReader } from '../workers/file-reader.ts'
import type { ConvertedWav } from './wav.ts'
import type { read } from './words-reader.ts'

export type WordsJob = {
  path: string
  /** As uploaded. Files in a zip have their own names. */
  fileName: string
  secondsMax: number
  fileBytesMax: number
  filesMax: number
}
/** `refused`: why the file cannot be used. */
export type WordFile = { fileName: string } & ({ wav: ConvertedWav } | { refused: string })
/** `foreign`: it is neither a wav file nor a zip, but of this type. `tooLarge`: for one word. */
export type WordsEnd =
  | { kind: 'read' }
  | { kind: 'foreign'; type: string }
  | { kind: 'tooLarge'; bytes: number }
  | { kind: 'refused'; code: FaultCode; why: string }

const readFiles = fileReader<typeof read>('recordings', new URL('./words-reader.ts', import.meta.url))
const turns = new FairSemaphore(1)

/** Reads recordings of words, one wav or a zip of them, in a process of its own, one upload at a time, by turns of accounts. */
export function readWords(job: WordsJob, whose: Whose): Promise<{ end: WordsEnd; files: WordFile[] }> {
  return turns.run(async () => {
    const files: WordFile[] = []
    await using reading = readFiles(job, { paths: [job.path] })
    for (;;) {
      const next = await reading.next()
      if (next.done) return { end: next.value, files }
      files.push(next.value)
    }
  }, whose)
}
