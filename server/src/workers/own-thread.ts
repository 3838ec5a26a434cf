import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

// What `npm start` says of the semi-space is for the engine's thread. It would hold for every later one as well, against its resourceLimits: each would use up to
// three times 64 MB for what it throws away. A heap reads this flag only when it is made.
setFlagsFromString('--max-semi-space-size=0')

/** What such a thread posts: how many rows it has written, and at its end what came of it. */
export type FromOwnThread<Reply> = { rows: number } | { done: Reply }

type OwnThread = {
  url: URL
  /** What it does, in words: 'a report'. */
  what: string
  /** Aborting it ends the thread. */
  signal: AbortSignal
  /** Told now and then. */
  onRows?: (rows: number) => void
  /** Of its heap, beside `youngMegabytes` for what lives shortly. */
  megabytesMax?: number
}

const youngMegabytes = 48

/** Runs a job in a thread of its own, which ends with it. How many run at once is the queue's matter (jobs.ts). */
export function inOwnThread<Reply>(
  job: object,
  { url, what, signal, onRows, megabytesMax = 512 }: OwnThread,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const resourceLimits = { maxOldGenerationSizeMb: megabytesMax, maxYoungGenerationSizeMb: youngMegabytes }
    const worker = new Worker(url, { workerData: job, resourceLimits })
    const abort = (): void => void worker.terminate()
    signal.addEventListener('abort', abort, { once: true })
    worker.on('message', (message: FromOwnThread<Reply>) =>
      'done' in message ? resolve(message.done) : onRows?.(message.rows),
    )
    worker.once('error', reject)
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', abort)
      reject(new Error(`the thread that makes ${what} ended with code ${code}`)) // ignored after an answer
    })
  })
}
