import { stat } from 'node:fs/promises'
import { requireNoTurn } from '../lib/turn-held.ts'
import { fileKinds, secondsFor } from './file-kinds.ts'
import { FileProcess, type Ended, type Failure } from './file-process.ts'
import { TimeLimit } from './time-limit.ts'

/** The file was given up: reading it took too long for its size, or ended the process that read it. `why` continues a sentence after a field's label. */
export type GivenUp = { kind: 'refused'; code: 'too_large'; why: string }
const tooSlow: GivenUp = {
  kind: 'refused',
  code: 'too_large',
  why: 'takes too long to read for its size: save it again or split it',
}
const tooMuch: GivenUp = {
  kind: 'refused',
  code: 'too_large',
  why: 'needs too much memory to be read: split it',
}

export type Files = { paths: readonly string[]; signal?: AbortSignal | undefined }
/** What the module of a reader exports as `read`: it is done, or makes batches until it is. */
type Read<Job extends object, Batch, End> = (job: Job) => AsyncGenerator<Batch, End> | Promise<End>
type BatchOf<R> = R extends (job: never) => AsyncGenerator<infer Batch, unknown> ? Batch : never
type EndOf<R> = R extends (job: never) => AsyncGenerator<unknown, infer End>
  ? End
  : R extends (job: never) => Promise<infer End>
    ? End
    : never

/** Enough to start Node on a machine that does much else. */
const startMs = 60_000
/** How often it is asked whether the time of a file is over. */
const watchMs = 250
/** How long a process may go on reading when nobody wants the rest. */
const stopMs = 500
/** What leaks in hundreds of files is given back. */
const filesMax = 300
/** A process that needed more gives it back by ending. */
const residentMegabytesMax = 256

const running = new Set<FileProcess>()
/** One for each size of heap, waiting for its next file. */
const waiting = new Map<number, FileProcess>()
let isEnded = false

/**
 * Makes a function that reads people's files in a child process, which a file may exhaust or crash without any harm to this one. Its batches come as
 * fast as they are taken. Every caller limits how many run at once, by turns of accounts.
 *
 * `url`: a module that exports `read`, for example `fileReader<typeof read>('table', new URL('./worker-reader.ts', import.meta.url))`
 */
export function fileReader<R extends Read<never, unknown, unknown>>(kind: keyof typeof fileKinds, url: URL) {
  return (job: Parameters<R>[0], files: Files) => {
    requireNoTurn('the reading of a file')
    return batchesOf(kind, url, job, files) as AsyncGenerator<BatchOf<R>, EndOf<R> | GivenUp>
  }
}

/** Reads to the end and drops the batches, of which most readers have none. */
export async function endOf<End>(reading: AsyncGenerator<unknown, End>): Promise<End> {
  for (;;) {
    const next = await reading.next()
    if (next.done) return next.value
  }
}

/** Ends all processes, those that read as well. */
export function endFileReaders(): void {
  isEnded = true
  for (const one of running) one.kill()
}

async function* batchesOf(
  name: keyof typeof fileKinds,
  url: URL,
  job: object,
  { paths, signal }: Files,
): AsyncGenerator<unknown, unknown> {
  const kind = fileKinds[name]
  signal?.throwIfAborted()
  const seconds = secondsFor(kind, await bytesOf(paths))
  const reader = await started(kind.heapMegabytes, url, job)
  const limit = new TimeLimit(seconds, reader.pid)
  const watch = setInterval(() => limit.isOver && reader.kill('late'), watchMs)
  const abort = (): void => reader.kill()
  signal?.addEventListener('abort', abort, { once: true })
  let isOver = false
  try {
    for (;;) {
      const message = await limit.whileWaiting(reader.next())
      signal?.throwIfAborted()
      if (message === 'begun') continue
      isOver = message === 'stopped' || !('batch' in message)
      if (message === 'stopped') throw new Error('a reader of files stopped by itself')
      if ('ended' in message) return givenUp(message)
      if ('failed' in message) return failed(message.failed)
      if ('end' in message) return message.end
      yield message.batch
      reader.tell('taken')
    }
  } finally {
    clearInterval(watch)
    signal?.removeEventListener('abort', abort)
    if (!isOver && reader.isAlive && !signal?.aborted) await stopped(reader)
    giveBack(reader)
  }
}

async function bytesOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** A process that died while it waited is replaced. */
async function started(heapMegabytes: number, url: URL, job: object): Promise<FileProcess> {
  for (;;) {
    if (isEnded) throw new Error('the server is shutting down')
    const reader = waiting.get(heapMegabytes) ?? new FileProcess(heapMegabytes)
    waiting.delete(heapMegabytes)
    running.add(reader)
    reader.begin(url, job)
    const isFirst = reader.files === 1
    const message = await reader.next(startMs).catch((error: unknown) => {
      running.delete(reader)
      throw error
    })
    if (message === 'begun') return reader
    giveBack(reader)
    if (isFirst) throw new Error('the process that reads files does not start')
  }
}

async function stopped(reader: FileProcess): Promise<void> {
  reader.tell('stop')
  const until = performance.now() + stopMs
  for (;;) {
    const message = await reader.next(Math.max(0, until - performance.now()))
    if (message === 'begun' || (typeof message === 'object' && 'batch' in message)) continue
    return
  }
}

/** One that did not end its file, or has become large or old, ends. */
function giveBack(reader: FileProcess): void {
  const isFit = reader.isFit({ filesMax, residentMegabytesMax })
  if (isFit && !isEnded && !waiting.has(reader.heapMegabytes)) {
    waiting.set(reader.heapMegabytes, reader)
    reader.rest()
    return
  }
  running.delete(reader)
  reader.kill()
}

function givenUp({ ended }: Ended): GivenUp {
  if (isEnded) throw new Error('the server is shutting down')
  return ended === 'late' ? tooSlow : tooMuch
}

function failed({ isTooMuch, message, stack }: Failure): GivenUp {
  if (isTooMuch) return tooMuch
  throw Object.assign(new Error(`the reader of a file failed: ${message}`), { stack })
}
