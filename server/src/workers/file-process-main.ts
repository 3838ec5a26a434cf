/** The program of a process that reads people's files (file-reader.ts), one after another. It ends with the server. */
import * as os from 'node:os'
import { codeOf } from '../lib/error-code.ts'
import type { Failure, FromFileProcess, ToFileProcess } from './file-process.ts'

/** So that a batch is made while the server takes the one before. */
const aheadMax = 2
const outOfMemory = new Set(['ERR_STRING_TOO_LONG', 'ERR_BUFFER_TOO_LARGE', 'ERR_MEMORY_ALLOCATION_FAILED', 'ENOMEM'])

type Reading = AsyncGenerator<unknown> | Promise<unknown>
type Reader = { read: (job: object) => Reading }

let [sent, taken] = [0, 0]
let isStopped = false
let wake = (): void => {}

function tell(message: FromFileProcess): void {
  process.send?.(message)
}

/** False once no more batches are wanted. */
async function give(batch: unknown): Promise<boolean> {
  if (sent - taken >= aheadMax && !isStopped) await new Promise<void>((resolve) => (wake = resolve))
  if (isStopped) return false
  sent++
  tell({ batch })
  return true
}

async function readAll(reading: Reading): Promise<FromFileProcess> {
  if (!(Symbol.asyncIterator in reading)) return ended(await reading)
  for (;;) {
    const next = await reading.next()
    if (next.done) return ended(next.value)
    if (await give(next.value)) continue
    await reading.return(undefined)
    return 'stopped'
  }
}

function ended(end: unknown): FromFileProcess {
  return { end, residentMegabytes: process.memoryUsage.rss() / 2 ** 20 }
}

/** A RangeError is how V8 refuses a string, a Map or a buffer that is too large, and a stack that is too deep. */
function failureOf(error: unknown): Failure {
  const isTooMuch = error instanceof RangeError || outOfMemory.has(codeOf(error) ?? '')
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  return { isTooMuch, message, stack }
}

async function begin(url: string, job: object): Promise<void> {
  sent = 0
  taken = 0
  isStopped = false
  tell('begun')
  try {
    const { read }: Reader = await import(url)
    tell(await readAll(read(job)))
  } catch (error) {
    tell({ failed: failureOf(error) })
  }
}

process.title = 'ghanti reads a file'
// Requests and calls take precedence over files.
const priority = os.constants.priority.PRIORITY_BELOW_NORMAL
if (os.getPriority() < priority) os.setPriority(priority) // who began lower may not rise
process.on('message', (message: ToFileProcess) => {
  if (typeof message === 'object') return void begin(message.url, message.job)
  if (message === 'taken') taken++
  else isStopped = true
  wake()
})
process.on('disconnect', () => process.exit())
// A terminal sends these to the whole group. The server decides when it needs no more files.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
