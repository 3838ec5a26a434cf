import { fork } from 'node:child_process'
import { once } from 'node:events'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newSecret } from '@ghanti/server/config.ts'
import { bareEnvironment } from '@ghanti/server/testing/processes/own-process.ts'

const adminShutdown = '57P01'

/** `--smallest` only checks that a bench runs and that its books are right; its figures mean nothing. `npm test` runs every bench this way. */
export const smallest = process.argv.includes('--smallest')

const args = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isSize = (argument: string) => /^[\d.]+$/.test(argument)
/** The size, for benches whose command line also takes names of parts. */
export const sizeArguments = args.filter(isSize)
export const nameArguments = args.filter((argument) => !isSize(argument))

/** The numeric argument of the command line; `usual` without one, `least` with `--smallest`. */
export function sizeOf(usual: number, least: number, args: readonly string[] = process.argv.slice(2)): number {
  const given = args.find((argument) => !argument.startsWith('--'))
  const size = given === undefined ? (smallest ? least : usual) : Number(given)
  if (!(size > 0)) throw new Error(`${given} is no size: a number above 0 is`)
  return size
}

/** The machine's load, because other work lowers every figure. */
export function load(): string {
  return os
    .loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')
}

/**
 * How many times more CPU a fifth of a millisecond of work takes every 20 ms than again and again: caches and clocks of a shared machine are cold
 * after a pause. An idle engine does nothing but short work after pauses, and so does a console.
 */
export async function costOfBursts(): Promise<number> {
  const rounds = smallest ? 20 : 200
  const work = () => {
    for (let i = 0; i < 300; i++) JSON.parse(JSON.stringify({ i, texts: ['one', 'two', { three: `three ${i}` }] }))
  }
  const micros = ({ user, system }: NodeJS.CpuUsage): number => user + system
  for (let n = 0; n < 300; n++) work() // until it is compiled
  const began = process.cpuUsage()
  for (let n = 0; n < rounds; n++) work()
  const atOneGo = micros(process.cpuUsage(began))
  const begun = process.cpuUsage()
  for (let n = 0; n < rounds; n++) {
    work()
    await sleep(20)
  }
  return micros(process.cpuUsage(begun)) / atOneGo
}

/** Handles a pool's lost connections; those closing while the server stops are expected. */
export function fail(error: Error & { code?: string }): void {
  if (error.code !== adminShutdown) throw error
}

export type Ending = () => void | Promise<void>

/**
 * Runs a bench, then ends what it started, the last first, and the process: with 1 when the bench failed or something could not be ended, which
 * holds up nothing else. `run` may add to `ends`.
 */
export async function runBench(run: () => Promise<void>, ends: readonly Ending[]): Promise<never> {
  const report = (error: unknown): void => {
    console.error(error)
    process.exitCode = 1
  }
  await run().catch(report)
  for (const end of ends.toReversed()) await Promise.try(end).catch(report)
  process.exit()
}

/** Rejects after `ms`, naming what was missing. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`${what} took longer than ${ms / 1000} s`)
  })
  late.catch(() => undefined) // for work that finished earlier
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}

export type Api = { pid: number; address: string; stop(): Promise<void> }

/** The API in a separate process on a free port; pass `secret` when a worker needs the same one. */
export async function startApi(databaseUrl: string, dataFolder: string, secret = newSecret()): Promise<Api> {
  const own = {
    DATABASE_URL: databaseUrl,
    SECRET: secret,
    PUBLIC_URL: 'http://localhost',
    DATA_FOLDER: dataFolder,
  }
  const env = { ...bareEnvironment, ...own, ROLES: 'api', PORT: '0', LOG_LEVEL: 'error' }
  const child = fork(path.join(import.meta.dirname, 'api.ts'), { env })
  const ended = once(child, 'exit')
  const announced = once(child, 'message').then(([address]) => String(address))
  const early = ended.then(([code]): never => {
    throw new Error(`the API ended before it listened: ${code}`)
  })
  early.catch(() => undefined)
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect()
    await within(20_000, 'the end of the API', ended).catch(() => child.kill('SIGKILL'))
  }
  try {
    // at the lowest priority of a busy machine, in a test, its modules alone take a minute
    const address = await within(200_000, 'the start of the API', Promise.race([announced, early]))
    return { pid: child.pid ?? 0, address, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
