// @module-tag exhaustive
// Cheaper: server/src/voice/dialer/session/engine-database-away.test.ts has the engine, server/src/db/embedded/pg-local.test.ts who starts PostgreSQL again.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startPostgres } from './db/embedded/pg-local.ts'
import { clusterFolder, startMigrated } from './testing/cluster.ts'
import { askForNoFactor } from './testing/factors.ts'
import { bareEnvironment } from './testing/processes/own-process.ts'
import { until } from './testing/until.ts'

const folder = clusterFolder('away')
const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  fs.rmSync(folder, { recursive: true, force: true })
})

const awayMs = 30_000
/** Every request must get some reply while the database is away. */
const answerMs = 5000
const backMs = 20_000

async function serve(settings: Record<string, string>) {
  const env = { ...bareEnvironment, PORT: '0', LOG_LEVEL: 'error', ...settings }
  // Neither a database that is there nor this test wants the demo's history.
  const options = 'DATABASE_URL' in settings ? [] : ['--empty']
  const main = path.join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, [main, ...options], { env, stdio: 'pipe' })
  const ended = once(child, 'exit')
  ends.push(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let out = ''
  child.stderr.on('data', (chunk) => (out += String(chunk)))
  const address = await new Promise<string>((ok, fail) => {
    child.stdout.on('data', (chunk) => {
      out += String(chunk)
      const found = /Ghanti is at (\S+)/.exec(out)?.[1]
      if (found) ok(found)
    })
    void ended.then(([code]) => fail(new Error(`exit ${code}: ${out}`)))
  })
  return { address, died: () => (child.exitCode ?? child.signalCode) && out }
}

async function ask(address: string, as: { username: string; password: string }) {
  const signal = AbortSignal.timeout(answerMs)
  const headers = { 'content-type': 'application/json' }
  return fetch(`${address}/api/obd/login`, { method: 'POST', headers, body: JSON.stringify(as), signal })
}

/** Answers that do not come count as no. */
const untilBack = (what: string, holds: () => Promise<boolean>) =>
  until(what, () => holds().catch(() => false), { timeoutMs: backMs, pollMs: 100 })

test('in production a server whose PostgreSQL is away for 30 s answers 503 with Retry-After, keeps its event streams, and goes on by itself', async () => {
  const cluster = { folder: path.join(folder, 'cluster') }
  let postgres = await startMigrated(cluster)
  ends.push(() => postgres.stop())
  const url = postgres.url()
  const as = { username: 'boss', password: 'Kathmandu-2083!' }
  const settings = { SECRET: 'x'.repeat(43), PUBLIC_URL: 'http://127.0.0.1', DATA_FOLDER: path.join(folder, 'server') }
  const env = { ...bareEnvironment, ...settings, DATABASE_URL: url }
  const about = ['--name', 'Boss', '--email', 'boss@example.com', '--number', '9841000000']
  const admin = path.join(import.meta.dirname, 'admin.ts')
  const made = spawnSync(process.execPath, [admin, 'create-super-admin', as.username, ...about], {
    env,
    input: `${as.password}\n`,
  })
  expect(String(made.stdout)).toContain('boss may sign in')
  await askForNoFactor(url)
  const server = await serve(env)
  const signedIn = await ask(server.address, as)
  expect(signedIn.status).toBe(200)
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const userId = /userId=(\d+)/.exec(cookie)?.[1]
  const plans = () => fetch(`${server.address}/api/obd/plans/${userId}`, { headers: { cookie } })
  expect((await plans()).status).toBe(200)
  const stream = await fetch(`${server.address}/api/obd/events`, { headers: { cookie } })
  expect(stream.status).toBe(200)
  let streamEnded = false
  void stream.body?.pipeTo(new WritableStream()).finally(() => (streamEnded = true))

  await postgres.stop()
  for (const until = performance.now() + awayMs; performance.now() < until; await sleep(1000)) {
    const refused = await ask(server.address, as)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    const list = await plans()
    expect([list.status, list.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await fetch(`${server.address}/readyz`)).status).toBe(503)
    expect((await fetch(`${server.address}/healthz`)).status).toBe(200)
  }
  postgres = await startPostgres(cluster)
  expect(postgres.url()).toBe(url)
  await untilBack('signed in again', async () => (await ask(server.address, as)).status === 200)
  expect((await plans()).status).toBe(200) // the session is the same
  expect(streamEnded).toBe(false)
  expect(server.died()).toBe(null)
}, 180_000)

test('a demo whose PostgreSQL dies starts it again and goes on, and no second server starts beside it', async () => {
  const settings = { DATA_FOLDER: path.join(folder, 'demo') }
  const server = await serve(settings)
  const as = { username: 'user', password: 'ghanti-demo' }
  expect((await ask(server.address, as)).status).toBe(200)
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const pid = await postmasterOf(settings.DATA_FOLDER)
    process.kill(pid, signal)
    await untilBack(`another PostgreSQL after ${signal}`, async () => {
      const { status } = await ask(server.address, as)
      if (status !== 200) expect(status).toBe(503)
      return status === 200 && (await postmasterOf(settings.DATA_FOLDER)) !== pid
    })
    expect(server.died()).toBe(null)
  }
  await sleep(2500) // it holds its data folder again
  await expect(serve(settings)).rejects.toThrow('runs already on')
}, 180_000)

/** The server below the data folder, wherever an unprivileged user can reach it. */
async function postmasterOf(dataFolder: string): Promise<number> {
  const file = path.join(dataFolder, 'postgres', 'data', 'postmaster.pid')
  return Number(fs.readFileSync(file, 'utf8').split('\n')[0])
}
