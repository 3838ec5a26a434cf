/** The processes of an embedded PostgreSQL: the lock of its folder, its port, and the postmaster that lives or is started. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from './pg-local-home.ts'

export const startTimeoutMs = 120_000

/** For one machine that runs application and database. wal_level=minimal: there is no replica, and COPY into a new table skips WAL. */
const defaultSettings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // its path may not exceed 107 bytes
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off', // costs more than it saves on short statements
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/** The postmaster of this very folder, or null. The pid file of a dead, foreign or copied server is removed, since we hold the lock. */
export function liveServer(data: string): { pid: number; port: number } | null {
  const pidFile = path.join(data, 'postmaster.pid')
  if (!fs.existsSync(pidFile)) return null
  const [pid = 0, , , port = 0] = fs.readFileSync(pidFile, 'utf8').split('\n').map(Number)
  if (pid > 0 && isAlive(pid)) {
    if (!fs.existsSync(`/proc/${pid}`)) return { pid, port } // no /proc on this system: trust the pid
    try {
      if (fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(data)) return { pid, port } // a postmaster's cwd is its data folder
    } catch (error) {
      assert(['ENOENT', 'EACCES', 'EPERM'].includes(codeOf(error) ?? ''), String(error)) // gone by now, or somebody else's
    }
  }
  fs.rmSync(pidFile, { force: true })
  return null
}

export function startServer(home: string, native: string, user: User, port: number, settings: Record<string, string>) {
  const logFile = path.join(home, 'server.log')
  const log = fs.openSync(logFile, 'a', 0o600)
  const logStart = fs.fstatSync(log).size
  const flags = Object.entries({ ...defaultSettings, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const child = spawn(
    path.join(native, 'bin', 'postgres'),
    ['-D', path.join(home, 'data'), '-p', String(port), ...flags],
    {
      ...user,
      cwd: '/',
      detached: true, // its own session: Ctrl-C reaches us alone, and we stop it last
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', PG_OOM_ADJUST_FILE: '' },
    },
  )
  fs.closeSync(log)
  let running = true
  let failure = ''
  child.on('exit', () => (running = false))
  child.on('error', (error) => ((running = false), (failure = String(error))))
  child.unref()
  return {
    pid: child.pid ?? 0,
    isRunning: () => running,
    newLog: () => failure + fs.readFileSync(logFile).subarray(logStart).toString('utf8'),
  }
}

/** Held while one process starts or stops the folder's server. The kernel frees it when the process dies. Waits for its turn. */
export async function lockFolder(home: string): Promise<() => Promise<void>> {
  const name = `ghanti-${createHash('sha256').update(home).digest('hex').slice(0, 32)}`
  const address =
    process.platform === 'linux'
      ? `\0${name}`
      : process.platform === 'win32'
        ? `\\\\.\\pipe\\${name}`
        : path.join(os.tmpdir(), name)
  for (const deadline = Date.now() + 2 * startTimeoutMs; ;) {
    try {
      const server = await listen(address)
      return () => new Promise((done) => server.close(() => done()))
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error
      if (Date.now() > deadline)
        throw new Error(`another process is starting PostgreSQL in ${home} and does not finish`, { cause: error })
      if (path.isAbsolute(address) && !(await answers(address))) fs.rmSync(address, { force: true }) // a socket file outlives a killed holder
      await sleep(50)
    }
  }
}

const listen = (address: string | { host: string; port: number }) =>
  new Promise<Server>((ok, fail) => {
    const server = createServer().once('error', fail)
    server.listen(address, () => ok(server))
  })

const answers = (address: string) =>
  new Promise<boolean>((ok) => {
    const socket = connect(address, () => (socket.destroy(), ok(true))).once('error', () => ok(false))
  })

export async function freePort(wanted = 0): Promise<number> {
  const server = await listen({ host: '127.0.0.1', port: wanted })
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

/** The last port if it is free, so that saved connection strings keep working. */
export async function rememberedPort(home: string): Promise<number> {
  const file = path.join(home, 'port')
  const last = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0
  return freePort(last).catch(() => freePort())
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

export const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null)?.code
