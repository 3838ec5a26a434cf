import { threadInTurn } from '../workers/thread-in-turn.ts'
import type { TelephoneWav } from './wav.ts'

export type WavJob = { path: string; secondsMax: number }
/** `refused`: why the file cannot be used. */
export type WavReply = { wav: TelephoneWav } | { refused: string }

/**
 * Converts the wav file at `path` in a thread of its own, one file at a time, by turns of accounts. A file takes a whole processor for up to a
 * second.
 */
export const convertWav = threadInTurn<WavJob, WavReply>({
  url: new URL('./wav-thread.ts', import.meta.url),
  what: 'wav conversion',
  secondsMax: 30,
})
