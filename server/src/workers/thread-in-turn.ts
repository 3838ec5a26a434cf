import { Worker } from 'node:worker_threads'
import { Turns, type Whose } from '../turns.ts'

type Thread = {
  url: URL
  /** What it does, in words: 'wav conversion'. */
  what: string
  secondsMax: number
}

/** Runs a job in a thread of its own, one at a time, since it takes a whole processor while it lasts: by turns of the accounts that have one. */
export function threadInTurn<Job, Reply>({
  url,
  what,
  secondsMax,
}: Thread): (job: Job, whose: Whose) => Promise<Reply> {
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

  return (job, whose) => turns.run(() => inThread(job), whose)
}
