import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { clusterFolder, layMigrated } from '../../server/src/testing/cluster.ts'

const main = path.resolve(import.meta.dirname, '../../server/src/main.ts')
/** A call of 20 s takes 40 ms, a retry comes after little more than a second. */
const simulatorSpeed = 500

export type Server = {
  address: string
  dataFolder: string
  pid: number
  hasEnded: () => boolean
  stop(): Promise<void>
}

/** `npm start` as a newcomer runs it, with its own data on a free port. `speed`: of simulated calls. `onTick`: how long each of the engine's took. */
export async function startServer(speed = simulatorSpeed, onTick?: (ms: number) => void): Promise<Server> {
  const dataFolder = clusterFolder('e2e')
  await layMigrated(path.join(dataFolder, 'postgres'))
  const own = {
    DATA_FOLDER: dataFolder,
    PORT: '0',
    SIMULATOR_SPEED: String(speed),
    SIMULATOR_MIX: 'false',
    LOG_LEVEL: onTick ? 'debug' : 'warn',
  }
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
    fs.rmSync(dataFolder, { recursive: true, force: true })
  }
  const lines = createInterface({ input: child.stdout })
  if (onTick)
    lines.on('line', (line) => {
      const tookMs = /"tookMs":(\d+)/.exec(line)?.[1]
      if (tookMs !== undefined) onTick(Number(tookMs))
    })
  const address = await Promise.race([
    addressIn(lines),
    exited.then(([code]) => Promise.reject(new Error(`the server ended with ${code}`))),
  ])
  return {
    address,
    dataFolder,
    pid: child.pid ?? 0,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop,
  }
}

function addressIn(lines: Interface): Promise<string> {
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const address = /^Ghanti is at (\S+)/.exec(line)?.[1]
      if (address) resolve(address)
    })
  })
}
