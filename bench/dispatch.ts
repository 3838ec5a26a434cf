/**
 * The whole product under load: `npm run bench:dispatch [seconds]`. The real engine dials over the simulated network in this process, on embedded
 * PostgreSQL with durable commits, while people read and pause over HTTP at an API process of its own; before and after it the bare statements, on
 * the same database and in batches of the same size. Prints, and asserts nothing but the books:
 * - completed attempts per second: claim, attempt, reservation, outcome, transfers of three levels, counters, durably committed
 * - calls in progress at once, how late the event loop was, what reads took (also while nothing dialled) and pausing
 * Aims: half of the bare rate and 4,000 attempts/s, 10,000 calls at once, reads within 50 ms, pausing within a second.
 */
import { espeakTts } from '@ghanti/server/drivers/tts/espeak.ts'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@ghanti/server/clock.ts'
import { migrate } from '@ghanti/server/db/migrate.ts'
import { startPostgres } from '@ghanti/server/db/pg-local.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { localFiles } from '@ghanti/server/drivers/files/local.ts'
import { createSimulator } from '@ghanti/server/drivers/telephony/simulator/simulator.ts'
import { startEngine, type Engine } from '@ghanti/server/engine/engine.ts'
import { faultsOf, judgeBooks } from '@ghanti/server/engine/judge.sql.ts'
import { enginePoolOptions } from '@ghanti/server/engine/statement.ts'
import { defaultCallingHours } from '@ghanti/server/modules/platform/rules-hours.ts'
import { settings } from '@ghanti/server/modules/platform/rules.ts'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { fail, load, startApi } from './bench.ts'
import { bareRate } from './dispatch-bare.ts'
import { p95, pauseOneAfterTheOther, startReaders, type Pause, type Reads } from './dispatch-people.ts'
import { makeCampaigns, makeWorld, promptMs, threeSeconds, type Campaign, type World } from './dispatch-world.ts'

const seconds = Number(process.argv[2] ?? 12)
const warmUpSeconds = 5
const bareSeconds = 4
const dialers = 2
const campaignsOf = { campaigns: 8, users: 4 }
/** More than is dialled. */
const rows = { engine: 30_000, bare: 20_000 }
/** Of all dialers together, and more than they reach: channels bound them. */
const callsPerSecond = 16_000
const channels = 12_500
/** Ring, answer after a second, hear the prompt: a call lasts so long, and what engine and database add. */
const callSeconds = 1.3
const speed = (1000 + promptMs) / (callSeconds * 1000)

const folder = mkdtempSync(path.join(os.tmpdir(), 'ghanti-bench-dispatch-'))
const postgres = await startPostgres({ folder: path.join(folder, 'postgres') })
const databaseUrl = postgres.url()
await migrate(databaseUrl)
const pool = openPool({ connectionString: databaseUrl, max: 20, name: 'bench' }, fail)
const forEngine = { connectionString: databaseUrl, max: 10, name: 'bench-engine', options: enginePoolOptions }
const enginePool = openPool(forEngine, fail)
const owner = openPool({ connectionString: databaseUrl, max: 1, name: 'bench-owner', asOwner: true }, fail)
const log = pino({ level: 'error', serializers: { error: pino.stdSerializers.err } })
const files = localFiles(path.join(folder, 'files'))
const db = kyselyOver(pool)
const people = { db, clock: systemClock }
const api = await startApi(databaseUrl, folder)
const { address } = api
try {
  await run()
} finally {
  await api.stop()
  await Promise.all([pool.end(), enginePool.end(), owner.end()])
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

function show(n: number): string {
  return Math.round(n).toLocaleString('en')
}

async function run(): Promise<void> {
  console.log(`${os.availableParallelism()} cores, load before ${load()}`)
  const value = JSON.stringify({ ...defaultCallingHours, enabled: false })
  await db.insertInto('platform_setting').values({ key: settings.callingHours.key, value }).execute()
  const { campaigns, users } = campaignsOf
  const line = { channels: channels / dialers, cps: callsPerSecond / dialers }
  const world = await makeWorld(db, { users, dialers, line })
  const opening = [await threeSeconds(files, Buffer.from('three seconds'))]
  const forBare = await makeCampaigns(pool, world, { campaigns, rows: rows.bare, status: 'paused', opening })
  const dialled = await makeCampaigns(pool, world, { campaigns, rows: rows.engine, status: 'running', opening })
  await owner.query('vacuum analyze campaign_contact')
  await owner.query('checkpoint')
  await measureIdle(world)
  const bare = [await measureBare(world, forBare, 400)]
  const engine = await measureEngine(world, dialled)
  bare.push(await measureBare(world, forBare, engine.bookingRows))
  const ratio = engine.rate / (bare.reduce((sum, rate) => sum + rate, 0) / bare.length)
  console.log(`the engine's rate is ${ratio.toFixed(2)} of the bare one (aim 0.50)`)
  console.log(`load after ${load()}`)
  const faults = faultsOf(await judgeBooks(enginePool))
  console.log(faults.length === 0 ? 'the books are right' : `THE BOOKS ARE WRONG: ${faults.join(', ')}`)
  if (faults.length > 0) process.exitCode = 1
}

async function measureIdle(world: World): Promise<void> {
  const readers = await startReaders(people, address, world)
  await sleep(2000)
  console.log('while nothing dials')
  showReads(await readers.stop())
}

async function measureBare(world: World, campaigns: readonly Campaign[], batch: number): Promise<number> {
  const ids = campaigns.map((campaign) => campaign.id)
  await db.updateTable('campaign').set({ status: 'running' }).where('id', 'in', ids).execute()
  const rate = await bareRate(enginePool, world, campaigns, { batch, seconds: bareSeconds })
  await db.updateTable('campaign').set({ status: 'paused' }).where('id', 'in', ids).execute()
  console.log(`bare statements: ${show(rate)} attempts/s, ${dialers} at once in batches of ${batch}`)
  return rate
}

async function measureEngine(
  world: World,
  campaigns: readonly Campaign[],
): Promise<{ rate: number; bookingRows: number }> {
  const simulator = createSimulator({ recordFolder: path.join(folder, 'record'), speed })
  const counted = counting(enginePool)
  const lines = { secret: randomBytes(32), mediaFolder: path.join(folder, 'media') }
  const speech = { db, files, tts: espeakTts() }
  const deps = { pool: counted.pool, telephony: [simulator], files, speech, lines, clock: systemClock, log }
  const engine = startEngine({ ...deps, engineId: 'bench' })
  const up = watchCalls(engine)
  await sleep(warmUpSeconds * 1000)
  const readers = await startReaders(people, address, world)
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  counted.clear()
  up.most = 0
  const [before, began, cpu] = [await answered(), performance.now(), process.cpuUsage()]
  const pauses = await pauseOneAfterTheOther(people, address, owner, campaigns, began + seconds * 1000)
  await sleep(Math.max(0, began + seconds * 1000 - performance.now()))
  const done = (await answered()) - before
  const rate = done / ((performance.now() - began) / 1000)
  const { user, system } = process.cpuUsage(cpu)
  delay.disable()
  const reads = await readers.stop()
  await engine.stop({ drainMs: 5000 })
  simulator.close()
  console.log(`engine: ${show(rate)} attempts/s (aim 4,000), ${show(up.most)} calls in progress at most (aim 10,000)`)
  const [claim, finish] = [counted.mean('claim'), counted.mean('finish')]
  const cost = `${show((user + system) / done)} µs of this process an attempt`
  console.log(`  ${cost}; ${show(claim)} calls a claim, ${show(finish)} a booking`)
  const late = (ns: number) => `${show(Math.max(0, ns / 1e6 - 10))} ms`
  console.log(`  event loop late by ${late(delay.percentile(95))} (p95), ${late(delay.max)} (max)`)
  showReads(reads)
  showPauses(pauses)
  return { rate, bookingRows: Math.round(finish) }
}

/** The pool, with how many calls claims and bookings had that had any. */
function counting(of: Pool) {
  const batches = new Map<string, number[]>()
  const query = async (statement: { name: string; text: string; values: unknown[] }) => {
    const reply = await of.query(statement)
    if (reply.rows.length > 0) batches.set(statement.name, [...(batches.get(statement.name) ?? []), reply.rows.length])
    return reply
  }
  const counted = new Proxy(of, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key === 'query') return query
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    pool: counted,
    clear: () => batches.clear(),
    mean(name: string): number {
      const sizes = batches.get(name) ?? []
      return sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length)
    },
  }
}

async function answered(): Promise<number> {
  const { rows } = await owner.query<{ n: number }>('select coalesce(sum(answered), 0)::int as n from campaign_count')
  return rows[0]?.n ?? 0
}

/** The most calls that were up at once, all dialers together. */
function watchCalls(engine: Engine): { most: number } {
  const ups = new Map<number, number>()
  const calls = { most: 0 }
  engine.reports.on('tick', ({ dialerId, up }) => {
    ups.set(dialerId, up)
    const all = [...ups.values()].reduce((sum, n) => sum + n, 0)
    calls.most = Math.max(calls.most, all)
  })
  return calls
}

function showReads(reads: Reads): void {
  for (const [what, tookMs] of Object.entries(reads))
    console.log(`  read ${what}: ${show(p95(tookMs))} ms (p95 of ${tookMs.length}, aim 50)`)
}

function showPauses(pauses: readonly Pause[]): void {
  const [repliedMs, lastMs] = [pauses.map((one) => one.repliedMs), pauses.map((one) => one.lastMs)]
  const last = `the last call begun after ${show(p95(lastMs))} ms`
  console.log(`  pause: answered in ${show(p95(repliedMs))} ms, ${last} (p95 of ${pauses.length}, aim 1,000)`)
}
