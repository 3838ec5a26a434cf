/** The product in the processes of a production: PostgreSQL, engine and workers in one, and the API in two others. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { startPostgres } from '@ghanti/server/db/embedded/pg-local.ts'
import { callerOver, type Caller } from '@ghanti/server/testing/wire.ts'
import { newDataFolder, remove, simulated, startMain, type Main } from '../../web/e2e/server.ts'

const announced = /^Ghanti is at (\S+)/

export type Processes = {
  dataFolder: string
  /** Of the two APIs. */
  addresses: readonly [string, string]
  pids: readonly number[]
  haveEnded(): boolean
  stop(): Promise<void>
}

/** `speed`: of simulated calls. `onTick`: how long each tick of the engine took, in milliseconds. */
export async function startProcesses(speed: number, onTick?: (ms: number) => void): Promise<Processes> {
  const dataFolder = await newDataFolder()
  const stops: (() => Promise<void>)[] = [async () => remove(dataFolder)]
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).toReversed()) await end().catch((error: unknown) => console.error(error))
  }
  const start = async (...of: Parameters<typeof startMain>): Promise<Main> => {
    const started = await startMain(...of)
    stops.push(started.stop)
    return started
  }
  try {
    const behind = await start(
      { ...simulated(dataFolder, speed), ROLES: 'engine,worker', LOG_LEVEL: onTick ? 'debug' : 'warn' },
      /^Ctrl\+C ends it/,
      (line) => {
        const tookMs = /"tookMs":(\d+)/.exec(line)?.[1]
        if (tookMs !== undefined) onTick?.(Number(tookMs))
      },
    )
    const postgres = await startPostgres({ folder: path.join(dataFolder, 'postgres') })
    stops.push(() => postgres.stop()) // of this process: it goes on for the others
    const api = {
      ROLES: 'api',
      DATA_FOLDER: dataFolder,
      DATABASE_URL: postgres.url('ghanti'),
      SECRET: fs.readFileSync(path.join(dataFolder, 'secret'), 'utf8').trim(),
      PUBLIC_URL: 'http://127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'warn',
    }
    const apis: [Main, Main] = [await start(api, announced), await start(api, announced)]
    const all = [behind, ...apis]
    return {
      dataFolder,
      addresses: [apis[0].said, apis[1].said],
      pids: all.map(({ pid }) => pid),
      haveEnded: () => all.some((each) => each.hasEnded()),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The API to which the nth request goes, as a balancer sends them. */
export const nth = (addresses: readonly string[], n: number): string => addresses[n % addresses.length] ?? ''

/** Each request of theirs goes to the next API. */
export function overAll(addresses: readonly string[], { headers, userId }: Pick<Caller, 'headers' | 'userId'>): Caller {
  let asked = 0
  const next = (): Caller => callerOver(nth(addresses, asked++), headers, userId)
  return {
    userId,
    headers,
    ask: (route, input) => next().ask(route, input),
    refusal: (route, input) => next().refusal(route, input),
    send: (route, input) => next().send(route, input),
  }
}
