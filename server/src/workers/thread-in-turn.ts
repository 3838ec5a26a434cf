import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { Turns } from '../turns.ts'

type Thread = {
  url: URL
  /** What it does, in words: 'wav conversion'. */
  what: string
  /** More that wait get 503. */
  waitingMax: number
  secondsMax: number
}

/** Runs a job in a thread of its own, one at a time: it takes a whole processor while it lasts. */
export function threadInTurn<Job, Reply>({ url, what, waitingMax, secondsMax }: Thread): (job: Job) => Promise<Reply> {
  let waiting = 0
  const turns = new Turns(1)

  const inThread = (workerData: Job): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(url, { workerData, resourceLimits: { maxOldGenerationSizeMb: 256 } })
      const timer = setTimeout(() => {
        reject(new Error(`${what} took more than ${secondsMax} s`))
        void worker.terminate()
      }, secondsMax * 1000)
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', (code) => {
        clearTimeout(timer)
        reject(new Error(`${what} ended with code ${code}`)) // ignored after an answer
      })
    })

  return async (job) => {
    if (waiting >= waitingMax) throw new AppError('not_ready', [], { retryAfterSeconds: waitingMax })
    waiting++
    return await turns.run(() => inThread(job)).finally(() => waiting--)
  }
}
