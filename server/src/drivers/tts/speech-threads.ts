import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { SpeechDownError, UnspeakableError, type Speech, type SpeechLanguage } from './driver.ts'
import { messageOf } from '../../lib/error-code.ts'

export type SpeechJob = { text: string; language: SpeechLanguage } | { file: Uint8Array }
/** A thread first sends `ready`. `sound` is a text when there is none: the reason. */
export type SpeechReply = { ready: true } | { sound: Speech | string }

export type SpeechThreadOptions = {
  /** Longer sounds are refused. */
  secondsMax?: number
  /** The limit of one job, loading the engine included. */
  jobMs?: number
  /** A thread without work ends after this time and frees its memory. */
  idleMs?: number
  /** Threads load espeak-ng, so that they take texts too. */
  engine?: boolean
  /** For tests: the script of another thread. */
  thread?: URL
}

const threadsMax = 2
const tries = 2

type Waiting = {
  job: SpeechJob
  triesLeft: number
  resolve: (sound: Speech) => void
  reject: (error: Error) => void
}

/**
 * A few threads that make speech, started when there is work. A job whose thread dies or is too slow is tried once more, alone in a new thread, and
 * then fails: neither the process nor another job is harmed.
 */
export class SpeechThreads {
  readonly atOnce = Math.min(threadsMax, availableParallelism())
  readonly #options: Required<SpeechThreadOptions>
  readonly #waiting: Waiting[] = []
  readonly #idle: Thread[] = []
  readonly #all = new Set<Thread>()
  #closed = false

  constructor(options: SpeechThreadOptions = {}) {
    const thread = new URL('./speech-thread.ts', import.meta.url)
    this.#options = { secondsMax: 60, jobMs: 30_000, idleMs: 30_000, engine: false, thread, ...options }
  }

  run(job: SpeechJob): Promise<Speech> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, triesLeft: tries, resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new SpeechDownError('it is being stopped'))
    await Promise.all([...this.#all].map((thread) => thread.end()))
  }

  #next(): void {
    if (this.#closed) return
    const thread = this.#idle.pop() ?? (this.#all.size < this.atOnce ? this.#begin() : undefined)
    if (!thread) return
    const waiting = this.#waiting.shift()
    if (waiting) void this.#carryOut(thread, waiting)
    else this.#idle.push(thread)
  }

  #begin(): Thread {
    const thread = new Thread(this.#options, () => {
      this.#all.delete(thread)
      const at = this.#idle.indexOf(thread)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    this.#all.add(thread)
    return thread
  }

  async #carryOut(thread: Thread, waiting: Waiting): Promise<void> {
    try {
      const sound = await thread.run(waiting.job)
      this.#idle.push(thread)
      if (typeof sound === 'string') waiting.reject(new UnspeakableError(sound))
      else waiting.resolve(sound)
    } catch (error) {
      this.#crashed(thread, waiting, error)
    }
    this.#next()
  }

  #crashed(thread: Thread, waiting: Waiting, error: unknown): void {
    const why = messageOf(error)
    waiting.triesLeft -= 1
    if (this.#closed) waiting.reject(new SpeechDownError('it is being stopped'))
    else if (!thread.isReady) waiting.reject(new SpeechDownError(why)) // the thread never started, so it is not the text's fault
    else if (waiting.triesLeft > 0) this.#waiting.unshift(waiting)
    else waiting.reject(new UnspeakableError(`the speech engine fails at it: ${why}`))
  }
}

/** One thread with one job at a time. */
class Thread {
  isReady = false
  readonly #worker: Worker
  readonly #options: Required<SpeechThreadOptions>
  readonly #onEnd: () => void
  #idle: NodeJS.Timeout | undefined
  #done: { resolve: (sound: Speech | string) => void; reject: (error: Error) => void } | null = null

  constructor(options: Required<SpeechThreadOptions>, onEnd: () => void) {
    this.#options = options
    this.#onEnd = onEnd
    this.#worker = new Worker(options.thread, {
      workerData: { secondsMax: options.secondsMax, engine: options.engine },
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    this.#worker.on('message', (reply: SpeechReply) => {
      if ('ready' in reply) this.isReady = true
      else this.#done?.resolve(reply.sound)
    })
    this.#worker.on('error', (error) => this.#ended(error instanceof Error ? error : new Error(String(error))))
    this.#worker.on('exit', (code) => this.#ended(new Error(`its thread ended with code ${code}`)))
  }

  async run(job: SpeechJob): Promise<Speech | string> {
    clearTimeout(this.#idle)
    this.#worker.ref()
    const { jobMs } = this.#options
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<Speech | string>((resolve, reject) => {
        this.#done = { resolve, reject }
        timer = setTimeout(() => {
          this.#ended(new Error(`it took more than ${jobMs / 1000} s`))
          void this.end()
        }, jobMs)
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        this.#worker.postMessage(job)
      })
    } finally {
      clearTimeout(timer)
      this.#done = null
      this.#worker.unref() // an idle thread keeps no process alive
      this.#idle = setTimeout(() => void this.end(), this.#options.idleMs).unref()
    }
  }

  async end(): Promise<void> {
    this.#onEnd()
    clearTimeout(this.#idle)
    await this.#worker.terminate()
  }

  #ended(error: Error): void {
    this.#onEnd()
    this.#done?.reject(error)
  }
}
