/** A PostgreSQL with a synchronous standby, which a test kills and promotes, again and again. */
import { execFile } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client, type QueryResultRow } from 'pg'
import { startPostgres, type LocalPostgres } from '../db/embedded/pg-local.ts'
import { atEndOfFile } from './cleanup.ts'
import { clusterFolder, startMigrated } from './cluster.ts'

const run = promisify(execFile)

const settings: Record<string, string> = {
  wal_level: 'replica',
  max_wal_senders: '5',
  wal_keep_size: '512MB',
  wal_retrieve_retry_interval: '200ms',
  synchronous_commit: 'on',
  fsync: 'off', // only processes are killed here: what a server has written outlives it
  shared_buffers: '64MB',
}

type Signal = 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'

export class StandbyPair {
  readonly folder: string
  #primary: LocalPostgres
  #standby: LocalPostgres | null = null
  #made = 1
  readonly #standStill = new Set<LocalPostgres>()

  private constructor(folder: string, primary: LocalPostgres) {
    this.folder = folder
    this.#primary = primary
  }

  /** A migrated primary, and a standby without which it commits nothing. Ends with the test file. */
  static async start(): Promise<StandbyPair> {
    const folder = clusterFolder('standby')
    const pair = new StandbyPair(folder, await startMigrated({ folder: path.join(folder, 'server-1'), settings }))
    atEndOfFile(async () => {
      for (const server of pair.#standStill) pair.signal(server, 'SIGKILL') // they would stay, asleep
      await pair.standby?.stop()
      await pair.primary.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    })
    await pair.addStandby()
    return pair
  }

  get primary(): LocalPostgres {
    return this.#primary
  }

  get standby(): LocalPostgres | null {
    return this.#standby
  }

  #ports: [number, number] | null = null

  /** Names both servers. */
  get url(): string {
    const [one, other] = this.#ports ?? [this.#primary.port, this.#standby?.port ?? 0]
    this.#ports = [one, other]
    return this.#primary.url().replace(/@[^/]+/, `@127.0.0.1:${one},127.0.0.1:${other}`)
  }

  /** SIGKILL to the primary and all its processes, or SIGSTOP, as when its machine is gone or stands still. */
  signalPrimary(signal: Signal): void {
    this.signal(this.#primary, signal)
  }

  signal(server: LocalPostgres, signal: Signal): void {
    if (signal === 'SIGSTOP') this.#standStill.add(server)
    else this.#standStill.delete(server)
    signalServer(server, signal)
  }

  async promote(): Promise<LocalPostgres> {
    const standby = this.#standby
    if (!standby) throw new Error('there is no standby')
    await asked(standby, 'select pg_promote(true, 30)')
    const before = this.#primary
    this.#primary = standby
    this.#standby = null
    return before
  }

  /** A copy of the primary, at the port of the one before it, that follows and without which nothing is committed. */
  async addStandby(): Promise<void> {
    const from = path.join(this.folder, `server-${this.#made}`)
    const to = path.join(this.folder, `server-${++this.#made}`)
    const port = this.#ports?.find((one) => one !== this.#primary.port)
    await copied(this.#primary, from, to)
    if (port === undefined) fs.rmSync(path.join(to, 'port'))
    else fs.writeFileSync(path.join(to, 'port'), String(port))
    const { username, password } = new URL(this.#primary.url())
    const follows = `host=127.0.0.1 port=${this.#primary.port} user=${username} password=${password}`
    const standby = await startPostgres({ folder: to, settings: { ...settings, primary_conninfo: follows } })
    this.#standby = standby
    await asked(this.#primary, "alter system set synchronous_standby_names = '*'")
    await asked(this.#primary, 'select pg_reload_conf()')
    while ((await asked(this.#primary, "select from pg_stat_replication where sync_state = 'sync'")).length === 0)
      await sleep(50)
  }
}

/** To a server and all its processes, as when its machine is gone or stands still. */
export function signalServer({ pid }: Pick<LocalPostgres, 'pid'>, signal: Signal): void {
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  for (const one of [pid, ...children]) {
    try {
      process.kill(one, signal)
    } catch {
      // it has ended by itself
    }
  }
}

async function asked(server: LocalPostgres, query: string): Promise<QueryResultRow[]> {
  const client = new Client({ connectionString: server.url() })
  await client.connect()
  try {
    return (await client.query<QueryResultRow>(query)).rows
  } finally {
    await client.end()
  }
}

/** A base backup, while the server works: what pg_basebackup does, which is not among the embedded server's programs. */
async function copied(server: LocalPostgres, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: server.url() })
  await client.connect()
  try {
    await client.query("select pg_backup_start('standby', true)")
    await run('cp', ['-a', from, to]).catch(() => {}) // a file may vanish while it is copied
    const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)')
    const data = path.join(to, 'data')
    const { uid, gid } = fs.statSync(data)
    for (const name of ['postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf'])
      fs.rmSync(path.join(data, name), { force: true })
    for (const name of fs.readdirSync(path.join(data, 'pg_wal')))
      fs.rmSync(path.join(data, 'pg_wal', name), { recursive: true })
    for (const [name, text] of [
      ['backup_label', rows[0]?.label ?? ''],
      ['standby.signal', ''],
      ['postgresql.auto.conf', ''],
    ] as const) {
      fs.writeFileSync(path.join(data, name), text, { mode: 0o600 })
      fs.chownSync(path.join(data, name), uid, gid)
    }
    fs.mkdirSync(path.join(data, 'pg_wal', 'archive_status'), { mode: 0o700 })
    fs.mkdirSync(path.join(data, 'pg_wal', 'summaries'), { mode: 0o700 })
    for (const name of ['archive_status', 'summaries']) fs.chownSync(path.join(data, 'pg_wal', name), uid, gid)
  } finally {
    await client.end()
  }
}
