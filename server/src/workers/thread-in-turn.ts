import { Worker } from 'node:worker_threads'
import type { Whose } from '../lib/fair-queue.ts'
import { FairSemaphore } from '../lib/fair-semaphore.ts'

type Thread = {
  url: URL
  /** What it does, in words: 'wav conversion'. */
  what: string
  secondsMax: number
  /** How long the thread waits for another job, because it is slow to start. */
  staysMs: number
}

/** Runs jobs in a thread, which takes each as a message: one at a time because each takes a whole processor, by turns of the accounts. */
export function threadInTurn<Job, Reply>({
  url,
  what,
  secondsMax,
  staysMs,
}: Thread): (job: Job, whose: Whose) => Promise<Reply> {
  const turns = new FairSemaphore(1)
  let waiting: Worker | null = null
  let leaving: NodeJS.Timeout | undefined

  /** The thread keeps no process alive, and when it fails the next job gets a new one. */
  const stay = (worker: Worker): void => {
    const forget = () => {
      if (waiting === worker) waiting = null
    }
    worker.removeAllListeners('error').removeAllListeners('exit')
    worker.on('error', forget).on('exit', forget).unref()
    waiting = worker
    leaving = setTimeout(() => {
      forget() // now, although the thread ends later
      void worker.terminate()
    }, staysMs).unref()
  }

  const take = (job: Job): Worker => {
    clearTimeout(leaving)
    const worker = waiting ?? new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: 256 } })
    waiting = null
    worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(job)
    return worker
  }

  const inThread = (job: Job): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const worker = take(job)
      const timer = setTimeout(() => {
        reject(new Error(`${what} took more than ${secondsMax} s`))
        void worker.terminate()
      }, secondsMax * 1000)
      worker.once('message', (reply: Reply) => {
        clearTimeout(timer)
        stay(worker)
        resolve(reply)
      })
      worker.once('error', reject)
      worker.once('exit', (code) => {
        clearTimeout(timer)
        reject(new Error(`${what} ended with code ${code}`)) // ignored after an answer
      })
    })

  return (job, whose) => turns.run(() => inThread(job), whose)
}
