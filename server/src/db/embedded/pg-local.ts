/**
 * A private PostgreSQL 18 from npm binaries: started, adopted or restarted on one data folder, as any user and as root.
 *
 *   const postgres = await startPostgres({ folder: '.ghanti/postgres' })
 *   new Pool({ connectionString: postgres.url('ghanti') })
 *   await postgres.stop()
 *
 * Modes, in the order in which they are tried:
 *   adopt    a server of this folder lives (its parent was killed, or another process of ours runs): use it
 *   restart  the folder holds a cluster without a live server: start it, PostgreSQL recovers by itself
 *   create   no cluster: initdb beside it, then one rename, so that a kill in between leaves no half cluster
 *
 * Every handle keeps one idle connection; the last handle to stop ends the server. The kernel closes the connections of
 * a killed process, so nothing is counted in files. One start at a time per folder: a lock that the kernel frees.
 */
import * as path from 'node:path'
import * as fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { createCluster, nativeFolder, reachableHome, serverUser, superuser, type User } from './pg-local-home.ts'
import {
  codeOf,
  freePort,
  isAlive,
  liveServer,
  lockFolder,
  rememberedPort,
  startServer,
  startTimeoutMs,
} from './pg-local-process.ts'

export type PostgresOptions = {
  folder: string
  /** Server settings over the defaults below; they apply when the server starts, not when it is adopted. */
  settings?: Record<string, string>
  /** Called once when the server goes away without `stop()`. The pool's connections are dead then. */
  onLost?: (reason: Error) => void
}

export type LocalPostgres = {
  pid: number
  port: number
  adopted: boolean
  /** A connection string for a database of this server; `postgres` is always there. */
  url(database?: string): string
  /** Ends the server unless another process of ours still uses it. Durable: a fast shutdown with a checkpoint. */
  stop(): Promise<void>
}

const keeperName = 'ghanti-keeper'

export async function startPostgres(options: PostgresOptions): Promise<LocalPostgres> {
  const owner = serverUser(options.folder)
  const home = reachableHome(path.resolve(options.folder), owner)
  const unlock = await lockFolder(home)
  try {
    const native = await nativeFolder(home, owner)
    await createCluster(home, native, owner)
    const password = fs.readFileSync(path.join(home, 'password'), 'utf8')
    const url = (port: number, database: string) =>
      `postgres://${superuser}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`
    const running = await adoptOrStart(home, native, owner, (port) => url(port, 'postgres'), options.settings ?? {})
    let stopping = false
    running.keeper.on('error', () => {}) // the `end` event follows
    running.keeper.on(
      'end',
      () =>
        stopping ||
        options.onLost?.(new Error(`PostgreSQL ${running.pid} went away, see ${path.join(home, 'server.log')}`)),
    )
    return {
      pid: running.pid,
      port: running.port,
      adopted: running.adopted,
      url: (database = 'postgres') => url(running.port, database),
      async stop() {
        if (stopping) return
        stopping = true
        await endServer(home, running)
      },
    }
  } finally {
    await unlock()
  }
}

/** Server settings for tests only: a crash may lose everything, a clone takes 22 ms instead of 220. */
export const testSettings: Record<string, string> = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '128MB',
}

/** A database of one's own for a test file. Nobody may be connected to the template. */
export async function cloneDatabase(adminUrl: string, template: string, name: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(
      `create database ${client.escapeIdentifier(name)} template ${client.escapeIdentifier(template)} strategy file_copy`,
    )
  } finally {
    await client.end()
  }
}

type Running = { pid: number; port: number; adopted: boolean; keeper: Client }

async function adoptOrStart(
  home: string,
  native: string,
  user: User,
  url: (port: number) => string,
  settings: Record<string, string>,
): Promise<Running> {
  const data = path.join(home, 'data')
  const deadline = Date.now() + startTimeoutMs
  let port: number | null = null
  for (;;) {
    const server = liveServer(data)
    if (server) {
      const keeper = await connectWhenReady(url(server.port), () => isAlive(server.pid), deadline)
      if (keeper) return { ...server, adopted: true, keeper }
      if (Date.now() > deadline)
        throw new Error(
          `PostgreSQL ${server.pid} does not answer on port ${server.port}, see ${path.join(home, 'server.log')}`,
        )
      continue
    }
    port ??= await rememberedPort(home) // a server that is ending has it until now
    const started = startServer(home, native, user, port, settings)
    const keeper = await connectWhenReady(url(port), started.isRunning, deadline)
    if (keeper) {
      fs.writeFileSync(path.join(home, 'port'), String(port), { mode: 0o600 })
      return { pid: started.pid, port, adopted: false, keeper }
    }
    const why = started.newLog()
    if (/could not bind|Address already in use/.test(why)) port = await freePort()
    // after kill -9 of the server its children need a moment to notice and to leave
    else if (!isStillLeaving(why) || Date.now() > deadline)
      throw new Error(`PostgreSQL did not start:\n${why.slice(-2000)}`)
    await sleep(250)
  }
}

function isStillLeaving(log: string): boolean {
  const has = (...words: string[]): boolean =>
    log.split('\n').some((line) => words.every((word) => line.includes(word)))
  return has('pre-existing shared memory') || has('lock file', 'already exists')
}

/** An open connection, or null when the server ended or the time is up. */
async function connectWhenReady(url: string, isRunning: () => boolean, deadline: number): Promise<Client | null> {
  while (isRunning() && Date.now() < deadline) {
    const client = new Client({
      connectionString: url,
      application_name: keeperName,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => {})
      if (codeOf(error) === '28P01')
        throw new Error('PostgreSQL answers, but with another password: is its folder a copy?', { cause: error })
      await sleep(20)
    }
  }
  return null
}

async function endServer(home: string, running: Running): Promise<void> {
  const unlock = await lockFolder(home)
  try {
    const others = await running.keeper
      .query('select count(*)::int n from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()', [
        keeperName,
      ])
      .then(
        (result) => (result.rows[0] as { n: number }).n,
        () => 0,
      )
    await running.keeper.end().catch(() => {})
    if (others > 0) return
    try {
      process.kill(running.pid, 'SIGINT') // fast shutdown
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error
    }
    const pidFile = path.join(home, 'data', 'postmaster.pid')
    while (fs.existsSync(pidFile) && isAlive(running.pid)) await sleep(10)
  } finally {
    await unlock()
  }
}
