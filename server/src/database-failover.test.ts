// @module-tag exhaustive
// Cheaper: server/src/voice/dialer/recover/engine-failover.test.ts has a standby that is promoted, in one process.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { kyselyOver, openPool } from './db/pool.ts'
import { atEndOfFile } from './testing/cleanup.ts'
import { askForNoFactor } from './testing/factors.ts'
import { bareEnvironment } from './testing/processes/own-process.ts'
import { newReseller } from './testing/seed.ts'
import { StandbyPair } from './testing/standby.ts'

const pair = await StandbyPair.start()
const pool = openPool({ connectionString: pair.url, max: 4, name: 'failover-test', asOwner: true }, () => {})
atEndOfFile(() => pool.end())
const db = kyselyOver(pool)

/** A request that waits longer hangs. */
const answerMs = 15_000
/** From when a server accepts writes again. */
const recoverMsMax = 30_000
const as = { username: 'boss', password: 'Kathmandu-2083!' }

async function serve(): Promise<string> {
  const settings = {
    SECRET: 'x'.repeat(43),
    PUBLIC_URL: 'http://127.0.0.1',
    DATA_FOLDER: path.join(pair.folder, 'data'),
  }
  const env = {
    ...bareEnvironment,
    PORT: '0',
    LOG_LEVEL: 'error',
    ROLES: 'api,worker',
    ...settings,
    DATABASE_URL: pair.url,
  }
  const about = ['--name', 'Boss', '--email', 'boss@example.com', '--number', '9841000000']
  const admin = path.join(import.meta.dirname, 'admin.ts')
  const made = spawnSync(process.execPath, [admin, 'create-super-admin', as.username, ...about], {
    env,
    input: `${as.password}\n`,
  })
  expect(String(made.stdout), String(made.stderr)).toContain('boss may sign in')
  await askForNoFactor(pair.url)
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), '--no-console'], {
    env,
    stdio: 'pipe',
  })
  const ended = once(child, 'exit')
  atEndOfFile(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let out = ''
  child.stderr.on('data', (chunk) => (out += String(chunk)))
  return await new Promise<string>((ok, fail) => {
    child.stdout.on('data', (chunk) => {
      out += String(chunk)
      const found = /The API is at (\S+)/.exec(out)?.[1]
      if (found) ok(found)
    })
    void ended.then(([code]) => fail(new Error(`exit ${code}: ${out}`)))
  })
}

type Reply = { status: number; message: string; code: string | undefined; retryAfter: string | null }

async function post(
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Reply & { token?: string }> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerMs),
  })
  const said = (await reply.json()) as { message: string; token?: string; errors?: { code: string }[] }
  const { message, token, errors } = said
  return {
    status: reply.status,
    message,
    code: errors?.[0]?.code,
    retryAfter: reply.headers.get('retry-after'),
    ...(token && { token }),
  }
}

async function expectMovedOnce(signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
  const address = await serving
  const { token = '' } = await post(`${address}/api/obd/login`, as)
  const reseller = await newReseller({ db })
  let serial = 0
  /** Each moves another amount, by which its transfer is found. */
  const asked = new Map<number, { reply: Reply; key: string }>()
  const move = (credits: number, key: string) =>
    post(
      `${address}/api/obd/credits/add`,
      { userId: reseller.userId, credits },
      { authorization: `Bearer ${token}`, 'idempotency-key': key },
    )
  const over = new AbortController()
  const customer = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const credits = ++serial
      const key = `${signal} ${credits}`
      asked.set(credits, { key, reply: await move(credits, key) })
      await sleep(60)
    }
  }
  const customers = Promise.all(Array.from({ length: 5 }, customer))
  await expect.poll(() => asked.size).toBeGreaterThan(15)
  const before = pair.primary
  pair.signalPrimary(signal)
  await sleep(1000)
  await pair.promote()
  const promoted = performance.now()
  const since = serial
  const isBack = () => [...asked].some(([credits, { reply }]) => credits > since && reply.status === 200)
  while (!isBack()) {
    expect(performance.now() - promoted).toBeLessThan(recoverMsMax)
    await sleep(50)
  }
  await sleep(500)
  over.abort()
  await customers
  if (signal === 'SIGSTOP') {
    pair.signal(before, 'SIGCONT')
    await sleep(500) // awake, and with writes for whoever asks it
  }

  const failed = [...asked].filter(([, { reply }]) => reply.status !== 200)
  for (const [, { reply }] of failed) {
    const away = { status: 503, message: 'Request Failed!! Please try again', code: undefined, retryAfter: '5' }
    const unknown = {
      status: 500,
      message: 'It is not known whether this was done',
      code: 'unknown',
      retryAfter: null,
    }
    expect(reply).toEqual(reply.status === 503 ? away : unknown)
  }
  expect(failed.length).toBeGreaterThan(0)
  const again = new Map<number, Reply>()
  const limits = openPool({ connectionString: pair.primary.url(), max: 1, name: 'limits', asOwner: true }, () => {})
  atEndOfFile(() => limits.end())
  const repeat = async (credits: number, key: string): Promise<void> => {
    const ask = async () => (again.set(credits, await move(credits, key)), again.get(credits)?.code)
    await expect.poll(ask, { timeout: 20_000, interval: 500 }).not.toBe('in_flight')
  }
  // A program would come again when told to: an account may make so many changes at once, and a minute.
  const changesAtOnce = 10
  const keys = [...asked].map(([credits, { key }]) => [credits, key] as const)
  for (let from = 0; from < keys.length; from += changesAtOnce) {
    await limits.query('delete from rate_limit')
    await Promise.all(keys.slice(from, from + changesAtOnce).map(([credits, key]) => repeat(credits, key)))
  }
  // Not over a connection from before: one to a server that slept may read what was there then, until it is cut.
  const now = openPool({ connectionString: pair.primary.url(), max: 1, name: 'failover-test', asOwner: true }, () => {})
  atEndOfFile(() => now.end())
  const { rows } = await now.query<{ rupees: number }>(
    'select amount_paisa / 100 as rupees from transfer where payee_id = $1',
    [reseller.userId],
  )
  const moved = rows.map(({ rupees }) => rupees)
  expect(
    moved.toSorted((a, b) => a - b),
    'nothing moved twice',
  ).toEqual([...new Set(moved)].toSorted((a, b) => a - b))
  for (const [credits, { reply }] of asked) {
    const second = again.get(credits)
    if (reply.status === 200) expect([credits, second?.status, moved.includes(credits)]).toEqual([credits, 200, true])
    else if (second?.status === 200) expect([credits, moved.includes(credits)]).toEqual([credits, true])
    else expect([credits, second]).toMatchObject([credits, { status: 409, code: 'unknown' }])
  }
  const account = await kyselyOver(now)
    .selectFrom('account')
    .select('balance_paisa')
    .where('id', '=', reseller.userId)
    .executeTakeFirstOrThrow()
  expect(account.balance_paisa).toBe(100 * moved.reduce((sum, rupees) => sum + rupees, 0))
  if (signal === 'SIGSTOP') pair.signal(before, 'SIGKILL')
  else await pair.addStandby()
}

const name =
  'the primary gets %s while credits move: each request is answered in time, moves its credits once or not at all whatever is repeated, and the server goes on by itself'
test.each(['SIGKILL'] as const)(name, expectMovedOnce, 120_000)
// As the one above, but for how a process learns of it: servers.test.ts has a server that stands still.
test.each(['SIGSTOP'] as const)(name, { tags: ['exhaustive'], timeout: 120_000 }, expectMovedOnce)

const serving = serve()
