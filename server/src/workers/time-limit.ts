import { readFileSync } from 'node:fs'

/** The clock may show this many times the processor time: a machine that does much else reads slowly. */
const clockFactor = 4
/** Linux counts in these on every architecture that Node supports. */
const ticksASecond = 100

/**
 * How long a process may read one file: so many seconds of processor time, where Linux says how much was used, and four times as many by the clock.
 * The clock stands while the server has something to do before it wants more.
 */
export class TimeLimit {
  readonly #seconds: number
  readonly #pid: number | undefined
  readonly #usedBefore: number
  #waitedMs = 0
  #waitsSince: number | null = null

  constructor(seconds: number, pid: number | undefined) {
    this.#seconds = seconds
    this.#pid = pid
    this.#usedBefore = processorSeconds(pid) ?? 0
  }

  async whileWaiting<T>(waiting: Promise<T>): Promise<T> {
    this.#waitsSince = performance.now()
    try {
      return await waiting
    } finally {
      this.#waitedMs = this.#waited()
      this.#waitsSince = null
    }
  }

  #waited(): number {
    return this.#waitedMs + (this.#waitsSince === null ? 0 : performance.now() - this.#waitsSince)
  }

  get isOver(): boolean {
    if (this.#waited() > this.#seconds * clockFactor * 1000) return true
    return (processorSeconds(this.#pid) ?? 0) - this.#usedBefore > this.#seconds
  }
}

/** Null where no file says it, and when the process has ended. */
function processorSeconds(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name before the last parenthesis may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksASecond
  } catch {
    return null
  }
}
