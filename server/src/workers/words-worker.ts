import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import type { TelephoneWav } from './wav.ts'

export type WordsJob = {
  path: string
  /** As it was sent; a zip's files have their own. */
  fileName: string
  secondsMax: number
  fileBytesMax: number
  filesMax: number
}
/** `refused` says in words what is wrong with the file. */
export type WordFile = { fileName: string } & ({ wav: TelephoneWav } | { refused: string })
export type WordsReply = { files: WordFile[] } | { refused: string }

const waitingMax = 10
const secondsPerFile = 120
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/** Reads recordings of words, one wav or a zip of them, in a thread of its own, one upload at a time. 503 when too many wait. */
export async function readWords(job: WordsJob): Promise<WordsReply> {
  if (waiting >= waitingMax) throw new AppError('not_ready', [], { retryAfterSeconds: waitingMax })
  waiting++
  const reply = last.then(() => inThread(job)).finally(() => waiting--)
  last = reply.catch(() => undefined)
  return await reply
}

function inThread(job: WordsJob): Promise<WordsReply> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./words-thread.ts', import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    const timer = setTimeout(() => {
      reject(new Error(`reading recordings took more than ${secondsPerFile} s`))
      void worker.terminate()
    }, secondsPerFile * 1000)
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`reading recordings ended with code ${code}`)) // ignored after an answer
    })
  })
}
