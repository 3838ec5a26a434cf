import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { fileKinds } from './file-kinds.ts'
import { launchOf } from './file-process.ts'
import { endOf, fileReader } from './file-reader.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-readers-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const empty = path.join(folder, 'empty')
fs.writeFileSync(empty, '')
const files = { paths: [empty] }

type Job = Record<string, unknown>
type Read = (job: Job) => AsyncGenerator<number, unknown>
let modules = 0
/** A reader whose module has this text. */
function readerOf(text: string, kind: keyof typeof fileKinds = 'table') {
  const module = path.join(folder, `reader-${++modules}.mjs`)
  fs.writeFileSync(module, text)
  return fileReader<Read>(kind, new URL(`file://${module}`))
}
const about = readerOf(
  `export const read = async () => ({ pid: process.pid, env: Object.keys(process.env), flags: process.execArgv })`,
)
/** As if files of this kind had this long. */
function giveSeconds(seconds: number): void {
  vi.spyOn(fileKinds, 'table', 'get').mockReturnValue({ heapMegabytes: 256, seconds, secondsPerMegabyte: 1 })
  onTestFinished(() => void vi.restoreAllMocks())
}
type About = { pid: number; env: string[]; flags: string[] }
const aboutIt = async () => (await endOf(about({}, files))) as About
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a file is read in a child process', () => {
  test('that stays for the next file', async () => {
    const [first, second] = [await aboutIt(), await aboutIt()]
    expect(first.pid).not.toBe(process.pid)
    expect(second.pid).toBe(first.pid)
  })

  test('without the environment of the server, in which its secrets are', async () => {
    vi.stubEnv('SECRET', 'secret')
    vi.stubEnv('DATABASE_URL', 'postgres://secret')
    onTestFinished(() => void vi.unstubAllEnvs())
    process.kill((await aboutIt()).pid, 'SIGKILL')
    const { env } = await aboutIt()
    expect(env.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual([])
  })

  test('without the flags with which the server was started', async () => {
    expect((await aboutIt()).flags).toEqual(['--max-old-space-size=256', '--max-semi-space-size=16'])
  })

  test('and one that died while it waited is replaced before a file meets it', async () => {
    const { pid } = await aboutIt()
    process.kill(pid, 'SIGKILL')
    expect((await aboutIt()).pid).not.toBe(pid)
  })

  test('that is another one after 300 files', async () => {
    const pids = new Set<number>()
    for (let n = 0; n < 310; n++) pids.add((await aboutIt()).pid)
    expect(pids.size).toBe(2)
  })

  test('two at once by two of them, of which one stays', async () => {
    const slow = readerOf(
      `export const read = async () => { await new Promise((r) => setTimeout(r, 300)); return process.pid }`,
    )
    const [one, other] = await Promise.all([endOf(slow({}, files)), endOf(slow({}, files))])
    expect(one).not.toBe(other)
    await vi.waitFor(() => expect([one, other].filter((pid) => isAlive(Number(pid)))).toHaveLength(1))
  })
})

describe('the end of the process is the end of one file', () => {
  const tooMuch = { kind: 'refused', code: 'too_large', why: 'needs too much memory to be read: split it' }
  const growing = {
    'an array': `const all = []; for (;;) all.push('')`,
    'a stack': `const deep = () => 1 + deep(); deep()`,
  }
  const others = {
    objects: `const all = []; for (;;) all.push({ a: all.length })`,
    'a Map': `const all = new Map(); for (;;) all.set(all.size, 'x')`,
    'a string': `let text = 'x'; for (;;) text += text`,
    'a parsed string': `JSON.parse('[' + '[1],'.repeat(60_000_000) + '1]')`,
  }
  const grew = 'whose %s grew without end'
  test.each(Object.entries(growing))(grew, expectEnded)
  test.each(Object.entries(others))(grew, { tags: ['exhaustive'] }, expectEnded)
  async function expectEnded(_: string, text: string): Promise<void> {
    giveSeconds(60)
    const before = process.memoryUsage.rss()
    expect(await endOf(readerOf(`export async function read() { ${text} }`)({}, files))).toEqual(tooMuch)
    expect(process.memoryUsage.rss() - before).toBeLessThan(64e6)
    expect((await aboutIt()).pid).toBeGreaterThan(0)
  }

  test.runIf(process.platform === 'linux')(
    'whose buffers grew without end, by the limit of the operating system',
    async () => {
      const grow = readerOf(
        `export async function* read() { const all = []; for (;;) { all.push(Buffer.alloc(1e7, 1)); yield all.length } }`,
      )
      let most = 0
      const reading = grow({}, files)
      for (let next = await reading.next(); ; next = await reading.next()) {
        if (next.done) {
          expect(next.value).toEqual(tooMuch)
          break
        }
        most = next.value
      }
      expect(most * 10).toBeGreaterThan(200)
      expect(most * 10).toBeLessThan(700)
    },
  )

  test('which the kernel killed', async () => {
    const reading = readerOf(`export async function* read() { yield process.pid; await new Promise(() => {}) }`)(
      {},
      files,
    )
    const { value } = await reading.next()
    process.kill(Number(value), 'SIGKILL')
    expect(await reading.next()).toEqual({ done: true, value: tooMuch })
  })

  test('which took longer than a file of its size may', async () => {
    giveSeconds(0.2)
    const busy = readerOf(`export async function* read() { yield process.pid; for (;;); }`)
    const reading = busy({}, files)
    const { value: pid } = await reading.next()
    const why = 'takes too long to read for its size: save it again or split it'
    expect(await reading.next()).toEqual({ done: true, value: { kind: 'refused', code: 'too_large', why } })
    await vi.waitFor(() => expect(isAlive(Number(pid))).toBe(false))
  })

  test('but what the server does with a batch takes none of the reader’s time', async () => {
    giveSeconds(0.3)
    const reading = readerOf(`export async function* read() { for (let n = 0; n < 5; n++) yield n; return 'read' }`)(
      {},
      files,
    )
    let next = await reading.next()
    for (; !next.done; next = await reading.next()) await sleep(300)
    expect(next.value).toBe('read')
  })

  test('and a fault of the reader is an error, which the next file does not meet', async () => {
    const faulty = readerOf(`export const read = async () => { throw new TypeError('of ours') }`)
    await expect(endOf(faulty({}, files))).rejects.toThrow('the reader of a file failed: of ours')
    expect((await aboutIt()).pid).toBeGreaterThan(0)
  })
})

describe('batches', () => {
  test('are made two ahead of those that were taken, and no more once nobody wants them', async () => {
    const reading = readerOf(`export async function* read(job) {
      const fs = await import('node:fs')
      for (let n = 1; ; n++) { fs.writeFileSync(job.made, String(n)); yield n }
    }`)({ made: path.join(folder, 'made') }, files)
    expect((await reading.next()).value).toBe(1)
    await sleep(200)
    expect(Number(fs.readFileSync(path.join(folder, 'made'), 'utf8'))).toBeLessThanOrEqual(3)
    await reading.return(undefined)
    const { pid } = await aboutIt()
    expect((await aboutIt()).pid).toBe(pid)
  })

  test('of numbers and bytes arrive as they were sent', async () => {
    const reading = readerOf(
      `export async function* read(job) { yield Float64Array.of(9779841000001, 2); yield job; return new Map([[1, 2]]) }`,
    )
    const made = reading({ bytes: Uint8Array.of(1, 2), at: new Date(0) }, files)
    expect((await made.next()).value).toEqual(Float64Array.of(9_779_841_000_001, 2))
    expect((await made.next()).value).toEqual({ bytes: Uint8Array.of(1, 2), at: new Date(0) })
    expect(await made.next()).toEqual({ done: true, value: new Map([[1, 2]]) })
  })
})

test('a child ends with the server, also in the middle of a file, and keeps no server from ending', async () => {
  const reader = path.join(folder, 'endless.mjs')
  fs.writeFileSync(
    reader,
    `export async function* read() { yield process.pid; for (;;) await new Promise((r) => setTimeout(r, 10)) }`,
  )
  fs.writeFileSync(path.join(folder, 'once.mjs'), `export const read = async () => process.pid`)
  const server = path.join(folder, 'server.mjs')
  const from = JSON.stringify(path.join(import.meta.dirname, 'file-reader.ts'))
  fs.writeFileSync(
    server,
    `const { fileReader, endOf, endFileReaders } = await import(${from})
    const files = { paths: [${JSON.stringify(empty)}] }
    const of = (name) => fileReader('table', new URL('./' + name + '.mjs', import.meta.url))({}, files)
    console.log(await endOf(of('once')))
    if (process.argv[2]) {
      const reading = of('endless')
      console.log((await reading.next()).value)
      if (process.argv[2] === 'shutdown') {
        const ended = reading.next()
        endFileReaders()
        await ended.catch(({ message }) => console.log(message))
        await endOf(of('once')).catch(({ message }) => console.log(message))
      }
    }`,
  )
  const pidsOf = async (...args: string[]) => {
    const child = spawn(process.execPath, [server, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    const pids: number[] = []
    const said: string[] = []
    createInterface(child.stdout).on('line', (line) => (/^\d+$/.test(line) ? pids.push(Number(line)) : said.push(line)))
    return { child, pids, said }
  }
  const ended = await pidsOf()
  await once(ended.child, 'exit')
  const killed = await pidsOf('endless')
  await vi.waitFor(() => expect(killed.pids).toHaveLength(2), 20_000)
  killed.child.kill('SIGKILL')
  const shutDown = await pidsOf('shutdown')
  await once(shutDown.child, 'close')
  expect(shutDown.said).toEqual(['the server is shutting down', 'the server is shutting down'])
  await vi.waitFor(() => expect([...ended.pids, ...killed.pids, ...shutDown.pids].filter(isAlive)).toEqual([]), 5000)
  expect(ended.pids).toHaveLength(1)
})

test('macOS gets V8’s limit only', () => {
  expect(launchOf(256, 'darwin')).toEqual({
    execPath: process.execPath,
    execArgv: ['--max-old-space-size=256', '--max-semi-space-size=16'],
  })
})
