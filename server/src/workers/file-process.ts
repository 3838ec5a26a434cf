import { fork, type ChildProcess } from 'node:child_process'
import * as path from 'node:path'

/** What the process is told: a file to read; that a batch was taken; that no more are wanted. */
export type ToFileProcess = { url: string; job: object } | 'taken' | 'stop'
/** `isTooMuch`: the file needs more than the process may use. */
export type Failure = { isTooMuch: boolean; message: string; stack: string }
export type FromFileProcess =
  | 'begun'
  | { batch: unknown }
  | { end: unknown; residentMegabytes: number }
  | { failed: Failure }
  | 'stopped'
/** `late`: it was killed because its time was over. `died`: it ended by itself, or the kernel ended it. */
export type Ended = { ended: 'late' | 'died' }

/** What Node and the reader's code have mapped before a file is read. */
const emptyMegabytes = 640
/** Buffers, and what V8 needs beside its heap. */
const besidesHeapMegabytes = 320
const youngMegabytes = 16

type Launch = { execPath: string; execArgv: string[] }

/**
 * Linux limits what the process may have mapped for writing (RLIMIT_DATA), and ends it rather than another one when memory is short. macOS has no
 * limit that its kernel enforces, so there the limit of V8's heap is the only one. A core dump would contain people's numbers.
 */
export function launchOf(heapMegabytes: number, platform: NodeJS.Platform = process.platform): Launch {
  const flags = [`--max-old-space-size=${heapMegabytes}`, `--max-semi-space-size=${youngMegabytes}`]
  if (platform !== 'linux') return { execPath: process.execPath, execArgv: flags }
  const kibibytes = (emptyMegabytes + heapMegabytes + besidesHeapMegabytes) * 1024
  const limits = `ulimit -c 0; ulimit -d ${kibibytes}; echo 1000 >/proc/self/oom_score_adj`
  return { execPath: '/bin/sh', execArgv: ['-c', `${limits}; exec "$0" "$@"`, process.execPath, ...flags] }
}

/** A child process that reads one file after another. */
export class FileProcess {
  readonly heapMegabytes: number
  readonly #child: ChildProcess
  readonly #arrived: FromFileProcess[] = []
  #files = 0
  #residentMegabytes = 0
  #isBetweenFiles = true
  #wake = (): void => {}
  #ended: Ended['ended'] | null = null
  #failure: Error | null = null

  constructor(heapMegabytes: number) {
    this.heapMegabytes = heapMegabytes
    // It inherits no environment, so it has neither the database's address nor the server's secret.
    this.#child = fork(path.join(import.meta.dirname, 'file-process-main.ts'), {
      ...launchOf(heapMegabytes),
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('message', (message: FromFileProcess) => {
      this.#arrived.push(message)
      this.#wake()
    })
    this.#child.once('exit', () => this.#end('died'))
    this.#child.on('error', (error) => {
      this.#failure = error
      this.#end('died')
    })
  }

  #end(ended: Ended['ended']): void {
    this.#ended ??= ended
    this.#wake()
  }

  get pid(): number | undefined {
    return this.#child.pid
  }
  get files(): number {
    return this.#files
  }
  get isAlive(): boolean {
    return this.#ended === null
  }

  /** Whether it may read another file: it came to the end of the last one, and is neither old nor large. */
  isFit({ filesMax, residentMegabytesMax }: { filesMax: number; residentMegabytesMax: number }): boolean {
    const isSmall = this.#residentMegabytes <= residentMegabytesMax
    return this.isAlive && this.#isBetweenFiles && this.#files < filesMax && isSmall
  }

  /** While it waits for a file it keeps this process from nothing. */
  rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  begin(url: URL, job: object): void {
    this.#files++
    this.#isBetweenFiles = false
    this.#child.ref()
    this.#child.channel?.ref()
    this.tell({ url: url.href, job })
  }

  /** Failing to reach a process that has just ended is no error: `next` says that it ended. */
  tell(message: ToFileProcess): void {
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  kill(why: Ended['ended'] = 'died'): void {
    this.#end(why)
    this.#child.kill('SIGKILL')
  }

  /** The next message, or how the process ended; it is killed when none comes within `ms`. */
  async next(ms?: number): Promise<FromFileProcess | Ended> {
    if (this.#arrived.length === 0 && this.#ended === null)
      await new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(() => this.kill('late'), ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    const message = this.#arrived.shift()
    if (message !== undefined) {
      if (message === 'stopped') this.#isBetweenFiles = true
      if (typeof message === 'object' && 'end' in message) {
        this.#isBetweenFiles = true
        this.#residentMegabytes = message.residentMegabytes
      }
      return message
    }
    if (this.#failure) throw this.#failure
    return { ended: this.#ended ?? 'died' }
  }
}
