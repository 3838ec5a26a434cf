import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { clusterFolder, layMigrated } from '../../server/src/testing/cluster.ts'

const main = path.resolve(import.meta.dirname, '../../server/src/main.ts')
/** A call of 20 s takes 40 ms, a retry comes after little more than a second. */
const simulatorSpeed = 500
/** A first start makes a database, beside other tests. */
const startsWithinMs = 400_000

export type Server = {
  address: string
  dataFolder: string
  pid: number
  hasEnded: () => boolean
  stop(): Promise<void>
}

/** `npm start -- --empty` with its own data on a free port. `speed`: of simulated calls. */
export async function startServer(speed = simulatorSpeed): Promise<Server> {
  const dataFolder = await newDataFolder()
  const { said, ...main } = await startMain(simulated(dataFolder, speed), /^Ghanti is at (\S+)/)
  return { address: said, dataFolder, ...main, stop: () => main.stop().finally(() => remove(dataFolder)) }
}

/** `npm start` as a newcomer runs it: with 90 days of history, and calls as fast as there. */
export async function startLived(): Promise<Server> {
  const dataFolder = await newDataFolder()
  const settings = { DATA_FOLDER: dataFolder, PORT: '0', LOG_LEVEL: 'warn' }
  const { said, ...main } = await startMain(settings, /^Ghanti is at (\S+)/, () => {}, [])
  return { address: said, dataFolder, ...main, stop: () => main.stop().finally(() => remove(dataFolder)) }
}

/** A data folder with a database, as after the first start, less the demo accounts. */
export async function newDataFolder(): Promise<string> {
  const dataFolder = clusterFolder('e2e')
  await layMigrated(path.join(dataFolder, 'postgres'))
  return dataFolder
}

export const remove = (folder: string): void => fs.rmSync(folder, { recursive: true, force: true })

/** Settings of a server whose calls are simulated. `speed`: of calls. */
export const simulated = (dataFolder: string, speed: number): Record<string, string> => ({
  DATA_FOLDER: dataFolder,
  PORT: '0',
  SIMULATOR_SPEED: String(speed),
  SIMULATOR_MIX: 'false',
  LOG_LEVEL: 'warn',
})

export type Main = Pick<Server, 'pid' | 'hasEnded' | 'stop'> & {
  /** What the announcement names. */
  said: string
}

/** A process of the product, once it has printed a line that `announcement` matches. `onLine`: each line that it prints. Its demo is empty unless `args` say otherwise. */
export async function startMain(
  settings: Readonly<Record<string, string>>,
  announcement: RegExp,
  onLine: (line: string) => void = () => {},
  args: readonly string[] = settings['DATABASE_URL'] ? [] : ['--empty'],
): Promise<Main> {
  const { DATABASE_URL: _, SECRET: __, ROLES: ___, ...inherited } = process.env // those of a developer's own server
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  lines.on('line', onLine)
  const announced = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const found = announcement.exec(line)
      if (found) resolve(found[1] ?? '')
    })
  })
  const late = new AbortController()
  const said = await Promise.race([
    announced,
    exited.then(([code]) => Promise.reject(new Error(`the server ended with ${code}`))),
    sleep(startsWithinMs, undefined, { signal: late.signal }).then(() => {
      child.kill('SIGKILL')
      throw new Error('the server did not start')
    }),
  ]).finally(() => late.abort())
  return {
    said,
    pid: child.pid ?? 0,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
