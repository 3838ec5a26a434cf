/**
 * From clone to signed-in console step by step, then a second start: `npm run bench:first-start`. Follows the README on a clone of the
 * committed tree with the machine's own Node and npm. Aims: under three minutes with downloads, a second start under ten seconds. At its
 * smallest it starts this tree as it is, with its own data and without downloads.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { browserOptions } from '../scripts/chromium.ts'
import { load, smallest } from './bench.ts'

const root = path.resolve(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'ghanti-first-start-'))
const tree = smallest ? root : path.join(folder, 'ghanti')
const port = await freePort()
const machinePath = (process.env['PATH'] ?? '').split(':').filter((entry) => !entry.includes('node_modules'))
const own = smallest ? { DATA_FOLDER: path.join(folder, 'data') } : {}
const env = { ...process.env, ...own, PATH: machinePath.join(':'), PORT: String(port) }
for (const name of Object.keys(env)) if (name.startsWith('npm_')) Reflect.deleteProperty(env, name)

const began = performance.now()
let running: ChildProcess | null = null
let last = began
try {
  const node = execFileSync('node', ['-v'], { env, encoding: 'utf8' }).trim()
  console.log(`${os.availableParallelism()} cores, load before ${load()}`)
  console.log(`node ${node}, npm ${execFileSync('npm', ['-v'], { env, encoding: 'utf8' }).trim()}`)
  if (!smallest) {
    execFileSync('git', ['clone', '-q', root, tree])
    step('git clone')
    execFileSync('npm', ['ci'], { cwd: tree, env, stdio: ['ignore', 'ignore', 'pipe'] }) // stderr becomes part of the error
    step('npm ci')
  }
  const first = start()
  await answers(first)
  step('npm start, until it answers')
  await signIn()
  step('signed in, in the browser')
  console.log(`first start ${seconds(began)}, aim under 180 s`)
  await stop(first)
  const again = performance.now()
  last = again
  const second = start()
  await answers(second)
  step('second npm start, until it answers')
  console.log(`second start ${seconds(again)}, aim under 10 s`)
  await signIn() // the accounts are still there
  await stop(second)
  console.log(`load after ${load()}`)
} finally {
  if (running) await stop(running)
  rmSync(folder, { recursive: true, force: true })
}

function step(what: string): void {
  console.log(`${seconds(last).padStart(8)}  ${what}`)
  last = performance.now()
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

function start(): ChildProcess {
  running = spawn('npm', ['start'], { cwd: tree, env, stdio: ['ignore', 'ignore', 'inherit'], detached: true })
  return running
}

async function answers(child: ChildProcess): Promise<void> {
  for (const deadline = performance.now() + 300_000; performance.now() < deadline; await sleep(50)) {
    if (hasEnded(child)) throw new Error('the server ended before it answered')
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (ready) return
  }
  throw new Error('the server did not answer within five minutes')
}

async function signIn(): Promise<void> {
  const browser = await chromium.launch(browserOptions())
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.locator('input[name=username]').fill('user')
    await page.locator('input[name=password]').fill('ghanti-demo')
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByText('Balance(Rs)').waitFor()
  } finally {
    await browser.close()
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Ends npm and its server through their process group. */
async function stop(child: ChildProcess): Promise<void> {
  running = null
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  if (child.pid) process.kill(-child.pid, 'SIGTERM')
  await ended
  for (const deadline = performance.now() + 20_000; performance.now() < deadline; await sleep(50)) {
    const up = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    )
    if (!up) return
  }
  throw new Error('the server did not end within 20 s')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}
