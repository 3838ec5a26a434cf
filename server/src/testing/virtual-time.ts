import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import { Client } from 'pg'
import { atEndOfFile } from './cleanup.ts'

/**
 * Time that passes at once (docs/adr/104): Node's timers and its monotonic clock, as our own code sees them, for the rest of a test file. Libraries keep
 * the real ones, and so does PostgreSQL: where its clock decides, tests move what is stored. What becomes due happens in its order, and only after
 * what came before has come to rest: no statement under way, no file, and nothing that follows from them.
 */
type VirtualTime = {
  /** Lets so much time pass. */
  pass(ms: number): Promise<void>
  /** From now on time passes by itself, whenever nothing is left to do. */
  run(): void
  /** From now on it passes by `pass` alone. */
  stand(): Promise<void>
}

/** Real time, which virtual time leaves alone. */
export const real = {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  sleep: timersPromises.setTimeout,
  now: performance.now.bind(performance),
}
/** By how much the process's monotonic clock is ahead of the real one: it never goes back, since modules outlive a test file. */
let aheadMs = 0
let current: Timers | null = null

/** The virtual time of this file, if it has one. */
export const timeOfFile = (): VirtualTime | null => current

/** A file whose tests are all left out is never cleaned up: the next one has its time, and ends both. */
export function virtualTime({ runs = false } = {}): VirtualTime {
  const timers = current ?? begin()
  if (runs) timers.run()
  return timers
}

function begin(): Timers {
  const timers = new Timers(performance.now())
  current = timers
  install(timers)
  atEndOfFile(async () => {
    await timers.stand()
    uninstall(timers)
    current = null
  })
  return timers
}

class Timer {
  readonly #all: Timers
  readonly run: () => void
  readonly everyMs: number | null
  readonly afterMs: number
  dueMs = 0

  constructor(all: Timers, run: () => void, afterMs: number, isRepeated: boolean) {
    this.#all = all
    this.run = run
    this.afterMs = afterMs
    this.everyMs = isRepeated ? afterMs : null
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
  refresh(): this {
    this.#all.set(this)
    return this
  }
  close(): this {
    this.#all.clear(this)
    return this
  }
  [Symbol.dispose](): void {
    this.#all.clear(this)
  }
}

/** As Node: whole milliseconds, at least one. */
const wholeMs = (ms: unknown): number => Math.max(1, Math.trunc(Number(ms ?? 1)) || 1)

class Timers implements VirtualTime {
  now: number
  /** In the order in which they were set. */
  readonly #pending = new Set<Timer>()
  #running: Promise<void> | null = null
  #runs = false

  constructor(now: number) {
    this.now = now
  }

  set(timer: Timer): Timer {
    this.#pending.delete(timer)
    timer.dueMs = this.now + timer.afterMs
    this.#pending.add(timer)
    return timer
  }

  clear(timer: Timer): void {
    this.#pending.delete(timer)
  }

  async pass(ms: number): Promise<void> {
    if (this.#runs) return await timersPromises.setTimeout(ms)
    const until = this.now + ms
    do await atRest()
    while (this.#fireNext(until))
    this.now = until
    await atRest()
  }

  run(): void {
    this.#runs = true
    this.#running ??= this.#run()
  }

  async stand(): Promise<void> {
    this.#runs = false
    await this.#running
  }

  /** What is left comes in real time: nobody may wait for it in vain. */
  leave(): void {
    for (const { run, dueMs, everyMs } of this.#pending)
      if (everyMs === null) real.setTimeout(run, Math.max(0, dueMs - this.now)).unref()
      else real.setInterval(run, everyMs).unref()
    this.#pending.clear()
  }

  async #run(): Promise<void> {
    while (this.#runs) {
      await atRest()
      if (this.#runs && !this.#fireNext(Infinity)) await real.sleep(1)
    }
    this.#running = null
  }

  /** False: nothing is due until then. */
  #fireNext(untilMs: number): boolean {
    let next: Timer | null = null
    for (const timer of this.#pending) if (next === null || timer.dueMs < next.dueMs) next = timer
    if (next === null || next.dueMs > untilMs) return false
    this.now = Math.max(this.now, next.dueMs)
    if (next.everyMs === null) this.#pending.delete(next)
    else this.set(next)
    next.run()
    return true
  }
}

/** How many turns of the event loop without a statement and a file show that nothing follows any more. */
const quietTurns = 10
/** A statement that takes longer waits for something that the test holds, such as a lock. */
const statementMs = 200

async function atRest(): Promise<void> {
  const from = real.now()
  for (let turns = 0; turns < quietTurns; turns++) {
    if (isBusy() && real.now() - from < statementMs) {
      turns = -1
      await real.sleep(1)
    } else await timersPromises.setImmediate()
  }
}

type Innards = {
  _activeQuery: unknown
  _queryQueue: unknown[]
  _connecting: boolean
  _connected: boolean
  _ended: boolean
}
const clients = new Set<Innards>()
const files = new Set(['FSReqPromise', 'FSReqCallback', 'GetAddrInfoReqWrap', 'TCPConnectWrap'])

function isBusy(): boolean {
  for (const client of clients)
    if (client._ended) clients.delete(client)
    else if (client._activeQuery || client._queryQueue.length > 0 || (client._connecting && !client._connected))
      return true
  return process.getActiveResourcesInfo().some((what) => files.has(what))
}

/** Whoever called the replaced function is of this project: libraries have the real timers. */
function isOurs(): boolean {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 3
  const caller = new Error().stack?.split('\n')[3] ?? ''
  Error.stackTraceLimit = stackTraceLimit
  return !/\/node_modules\/|\(node:|at node:/.test(caller)
}

const { query, connect } = Client.prototype

function install(timers: Timers): void {
  type Work = (...values: unknown[]) => void
  const later =
    (realOne: (work: Work, ms?: number, ...values: unknown[]) => unknown, isRepeated: boolean) =>
    (work: Work, ms?: number, ...values: unknown[]): unknown =>
      isOurs()
        ? timers.set(new Timer(timers, () => work(...values), wholeMs(ms), isRepeated))
        : realOne(work, ms, ...values)
  const clear = (realOne: (timer: NodeJS.Timeout) => void) => (timer: NodeJS.Timeout | Timer) =>
    timer instanceof Timer ? timers.clear(timer) : realOne(timer)
  const sleep = <T>(ms?: number, value?: T, options?: { signal?: AbortSignal }): Promise<T | undefined> =>
    isOurs() ? slept(timers, ms, value, options?.signal) : real.sleep(ms, value, options)
  Object.assign(globalThis, {
    setTimeout: later(real.setTimeout, false),
    setInterval: later(real.setInterval, true),
    clearTimeout: clear(real.clearTimeout),
    clearInterval: clear(real.clearInterval),
  })
  Object.assign(timersPromises, { setTimeout: sleep })
  syncBuiltinESMExports() // what modules have imported already
  performance.now = () => timers.now
  const known = (method: (...all: unknown[]) => unknown) =>
    function (this: Innards, ...all: unknown[]): unknown {
      clients.add(this)
      return method.apply(this, all)
    }
  Object.assign(Client.prototype, { query: known(query), connect: known(connect) })
}

function slept<T>(timers: Timers, ms?: number, value?: T, signal?: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      timers.clear(timer)
      const error = new Error('The operation was aborted', { cause: signal?.reason })
      reject(Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' }))
    }
    const wake = (): void => {
      signal?.removeEventListener('abort', abort)
      resolve(value)
    }
    const timer = new Timer(timers, wake, wholeMs(ms), false)
    if (signal?.aborted) return abort()
    timers.set(timer)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

function uninstall(timers: Timers): void {
  const { sleep, now, ...globals } = real
  Object.assign(globalThis, globals)
  Object.assign(timersPromises, { setTimeout: sleep })
  syncBuiltinESMExports()
  Object.assign(Client.prototype, { query, connect })
  clients.clear()
  aheadMs = Math.max(0, timers.now - now())
  performance.now = () => now() + aheadMs
  timers.leave()
}
