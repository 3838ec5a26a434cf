import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
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

/** `npm start` as a newcomer runs it, with its own data on a free port. `speed`: of simulated calls. */
export async function startServer(speed = simulatorSpeed): Promise<Server> {
  const dataFolder = clusterFolder('e2e')
  await layMigrated(path.join(dataFolder, 'postgres'))
  const own = {
    DATA_FOLDER: dataFolder,
    PORT: '0',
    SIMULATOR_SPEED: String(speed),
    SIMULATOR_MIX: 'false',
    LOG_LEVEL: 'warn',
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
  const address = await Promise.race([
    addressIn(createInterface({ input: child.stdout })),
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

async function addressIn(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const address = /^Ghanti is at (\S+)/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('the server did not say where it is')
}
