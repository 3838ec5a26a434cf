import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import type { TelephoneWav } from './wav.ts'

export type WavJob = { path: string; secondsMax: number }
/** `refused` says in words what is wrong with the file. */
export type WavReply = { wav: TelephoneWav } | { refused: string }

const waitingMax = 20
const secondsPerFile = 30
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/** Converts the wav file at `path` in a thread of its own, one file at a time: it takes a whole processor for a second. 503 when too many wait. */
export async function convertWav(path: string, secondsMax: number): Promise<WavReply> {
  if (waiting >= waitingMax) throw new AppError('not_ready', [], { retryAfterSeconds: waitingMax })
  waiting++
  const reply = last.then(() => inThread(path, secondsMax)).finally(() => waiting--)
  last = reply.catch(() => undefined)
  return await reply
}

function inThread(path: string, secondsMax: number): Promise<WavReply> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./wav-thread.ts', import.meta.url), {
      workerData: { path, secondsMax } satisfies WavJob,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    const timer = setTimeout(() => {
      reject(new Error(`wav conversion took more than ${secondsPerFile} s`))
      void worker.terminate()
    }, secondsPerFile * 1000)
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`wav conversion ended with code ${code}`)) // ignored after an answer
    })
  })
}
