import { threadInTurn } from './thread-in-turn.ts'
import type { TelephoneWav } from './wav.ts'

export type WavJob = { path: string; secondsMax: number }
/** `refused` says in words what is wrong with the file. */
export type WavReply = { wav: TelephoneWav } | { refused: string }

const inThread = threadInTurn<WavJob, WavReply>({
  url: new URL('./wav-thread.ts', import.meta.url),
  what: 'wav conversion',
  waitingMax: 20,
  secondsMax: 30,
})

/** Converts the wav file at `path` in a thread of its own, one file at a time: it takes a whole processor for a second. 503 when too many wait. */
export async function convertWav(path: string, secondsMax: number): Promise<WavReply> {
  return await inThread({ path, secondsMax })
}
