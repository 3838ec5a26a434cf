import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

// `npm start` sets --max-semi-space-size for the engine's thread. Without this line the flag would override the resourceLimits of later threads, each of
// which could then use three times 64 MB for young objects. V8 reads the flag when it creates a heap, so existing threads are not affected.
setFlagsFromString('--max-semi-space-size=0')

/** What such a thread posts: the number of rows written so far and, at the end, its result. */
export type FromOwnThread<Reply> = { rows: number } | { done: Reply }

type OwnThread = {
  url: URL
  /** What it makes, in words: 'a report'. */
  what: string
  /** Aborting it ends the thread. */
  signal: AbortSignal
  /** Called from time to time with the number of rows written so far. */
  onRows?: (rows: number) => void
  /** The limit of its heap, besides `youngMegabytes` for young objects. */
  megabytesMax?: number
}

const youngMegabytes = 48

/** Runs a job in its own thread, which ends with the job. The queue limits how many run at once (jobs.ts). */
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
