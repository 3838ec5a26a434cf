import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import { FairSemaphore } from '../lib/fair-semaphore.ts'
import type { Whose } from '../lib/fair-queue.ts'
import { endOf, fileReader, type GivenUp } from '../workers/file-reader.ts'
import type { ConvertedWav } from './wav.ts'
import type { read } from './wav-reader.ts'

export type WavJob = { path: string; secondsMax: number }
/** `foreign`: it is no wav file, but of this type. `why` continues a sentence after the field's label. */
export type WavEnd =
  | { kind: 'sound'; wav: ConvertedWav }
  | { kind: 'foreign'; type: string }
  | { kind: 'refused'; code: FaultCode; why: string }

const readWav = fileReader<typeof read>('sound', new URL('./wav-reader.ts', import.meta.url))
const turns = new FairSemaphore(1)

/** Converts the wav file at `path` in a process of its own, one file at a time, by turns of accounts. */
export function convertWav(job: WavJob, whose: Whose): Promise<WavEnd | GivenUp> {
  return turns.run(() => endOf(readWav(job, { paths: [job.path] })), whose)
}
