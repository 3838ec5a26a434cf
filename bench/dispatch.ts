/**
 * The whole product under load: `npm run bench:dispatch [seconds]`. The real engine dials over the simulated network in this process, on
 * embedded PostgreSQL with durable commits, while people read and pause over HTTP at an API in a separate process. Before and after it the
 * bare statements run on the same database, in batches of the same size and beside the same readers, so that reading does not affect the
 * ratio; the simulated network does. Asserts only the books, and prints:
 * - completed attempts per second: claim, attempt, reservation, outcome, transfers of three levels, counters, durably committed
 * - what is saturated: CPU of each process, in all and per attempt, the event loop, what PostgreSQL's processes wait for, what each
 * statement takes
 * - the engine's rate with insight's follower beside it, in rounds that alternate with rounds without, and the follower's CPU an attempt
 * - concurrent calls, lateness of the event loop, times of reading (also without dialling) and of pausing
 * Aims: half of the bare rate and 4,000 attempts/s, 10,000 concurrent calls, reads within 50 ms, pausing within a second, and the follower takes no more than 5 %.
 */
import { espeakTts } from '@ghanti/server/drivers/tts/espeak.ts'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@ghanti/server/clock.ts'
import { clusterFolder, startMigrated } from '@ghanti/server/testing/cluster.ts'
import { kyselyOver, openPool, type PoolOptions } from '@ghanti/server/db/pool.ts'
import { testFiles } from '@ghanti/server/testing/files/test-files.ts'
import { createSimulator } from '@ghanti/server/drivers/telephony/simulator/simulator.ts'
import { startEngine, type Engine } from '@ghanti/server/voice/engine.ts'
import { faultsOf } from '@ghanti/server/dispatch/faults.ts'
import { checkInvariants } from '@ghanti/server/voice/invariants/invariants.sql.ts'
import { enginePoolOptions } from '@ghanti/server/dispatch/statement.ts'
import { countAll } from '@ghanti/server/modules/insight/actions-count.ts'
import { defaultCallingHours } from '@ghanti/server/modules/platform/rules-hours.ts'
import { settings } from '@ghanti/server/modules/platform/rules.ts'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { fail, load, sizeOf, smallest, startApi, within, type Api } from './bench.ts'
import { bareRate } from './dispatch/bare.ts'
import { followerRounds, measureWithFollower, type Round } from './dispatch/with-follower.ts'
import { p95, pauseOneAfterTheOther, startReaders, type Pause, type Reads } from './dispatch/people.ts'
import { watchSaturation, type SaturationMonitor } from './dispatch/saturation.ts'
import {
  makeCampaigns,
  makeFixtures,
  promptMs,
  threeSeconds,
  type Campaign,
  type Fixtures,
} from './dispatch/fixtures.ts'
import { cpuSecondsOfChildren } from './processes.ts'

/** The limit for all of it, on any machine. */
const withinMs = 260_000
/** Of it, for what comes after the rounds of the follower's cost: the end of the engine, the bare statements, the follower alone, the books. */
const lastMs = 80_000
const roundsUntil = performance.now() + withinMs - lastMs
const dialers = 2
const campaignsOf = { campaigns: 8, users: 4 }
const seconds = sizeOf(12, 3)
const [warmUpSeconds, idleSeconds, bareSeconds, trialSeconds] = smallest ? [1, 0.3, 0.2, 0.1] : [5, 2, 4, 1]
const trialRows = smallest ? 100 : 5000
/** More than the engine reaches of the bare rate. */
const [ratioMax, bareSpread] = [0.9, 2]
/** Calls per second of a small run. */
const smallestRate = 300
/** Between the first numbers of two campaigns: all of them are mobile numbers, and distinct up to half as many rows. */
const apart = 200_000
const least = { batch: 50, rows: smallest ? 400 : 2000 }
/** The length of a call (ring, answer after a second, prompt), plus what engine and database add. */
const callSeconds = 1.3
const speed = (1000 + promptMs) / (callSeconds * 1000)
/** At this share of the trunks' rate, the trunks are the limit. */
const nearLimit = 0.8

const folder = clusterFolder('bench-dispatch')
const postgres = await startMigrated({
  folder: path.join(folder, 'postgres'),
  settings: { shared_preload_libraries: 'pg_stat_statements' },
})
const databaseUrl = postgres.url()
const poolOf = (name: string, max: number, more: Partial<PoolOptions> = {}): Pool =>
  openPool({ connectionString: databaseUrl, max, name, ...more }, fail)
const pool = poolOf('bench', 20)
const enginePool = poolOf('engine', 10, { options: enginePoolOptions })
const owner = poolOf('bench-owner', 1, { asOwner: true })
const watching = poolOf('bench-watch', 1, { asOwner: true })
const log = pino({ level: 'error', serializers: { error: pino.stdSerializers.err } })
const files = testFiles(path.join(folder, 'files'))
const db = kyselyOver(pool)
const people = { db, clock: systemClock }
try {
  await within(withinMs, 'the bench', run())
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  const pools = [pool, enginePool, owner, watching].map((one) => one.end())
  await within(5000, 'the end of the connections', Promise.all(pools)).catch(() => undefined) // the server ends them
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit() // abandoned work may still be waiting

/** Campaigns for each round of the follower's cost, as many calls as the engine should end in the seconds of a round. */
async function makeRounds(
  rate: number,
  make: (rowsInAll: number, status: 'paused') => Promise<Campaign[]>,
): Promise<Round[]> {
  const rounds: Round[] = []
  for (let round = 0; round < 2 * followerRounds.pairs; round++) {
    const campaigns = await make(rate * followerRounds.seconds, 'paused')
    const calls = await freshRows(campaigns)
    rounds.push({ calls, start: () => running(campaigns) })
  }
  return rounds
}

function show(n: number): string {
  return Math.round(n).toLocaleString('en')
}

async function run(): Promise<void> {
  console.log(`${os.availableParallelism()} cores, load before ${load()}`)
  await owner.query('create extension pg_stat_statements')
  const value = JSON.stringify({ ...defaultCallingHours, enabled: false })
  await db.insertInto('platform_setting').values({ key: settings.callingHours.key, value }).execute()
  const fixtures = await makeFixtures(db, { users: campaignsOf.users, dialers, line: { channels: 1, cps: 1 } })
  const opening = [await threeSeconds(files, Buffer.from('three seconds'))]
  const make = async (rowsInAll: number, status: 'paused' | 'running'): Promise<Campaign[]> => {
    const { campaigns } = campaignsOf
    const rows = Math.ceil(Math.max(least.rows, rowsInAll) / campaigns / 50) * 50
    return makeCampaigns(db, fixtures, { campaigns, rows, status, opening, apart })
  }
  const api = await startApi(databaseUrl, folder)
  try {
    const trial = await make(trialRows * campaignsOf.campaigns, 'paused')
    const guess = await bareRate(enginePool, fixtures, await running(trial), { batch: 400, seconds: trialSeconds })
    await paused(trial)
    const forBare = await make(guess.rate * bareSeconds * 2 * bareSpread, 'paused')
    const perSecond = smallest ? smallestRate : Math.ceil(guess.rate * ratioMax)
    const dialled = await make(perSecond * (warmUpSeconds + seconds + 1), 'paused')
    const rounds = await makeRounds(smallest ? smallestRate : guess.rate / 2, make)
    await setLines(perSecond)
    await owner.query('vacuum analyze campaign_contact')
    await owner.query('checkpoint')
    await measureIdle(fixtures, api)
    const bare = [await measureBare(fixtures, forBare, 400, api)]
    const engine = await measureEngine(fixtures, await running(dialled), { rounds, api, perSecond })
    bare.push(await measureBare(fixtures, forBare, engine.settledRows, api))
    const ofBare = (figure: keyof Measure, value: number): string =>
      (value / (bare.reduce((sum, one) => sum + one[figure], 0) / bare.length)).toFixed(2)
    console.log(`the engine's rate is ${ofBare('rate', engine.rate)} of the bare one (aim 0.50)`)
    const cpu = (microseconds: number) => `${ofBare('cpuMicroseconds', microseconds)} of the bare one's`
    console.log(`its CPU an attempt, PostgreSQL's and ours, is ${cpu(engine.cpuMicroseconds)}`)
    console.log(`  the follower's CPU an attempt is ${cpu(await measureFollower())}`)
  } finally {
    await api.stop()
  }
  console.log(`load after ${load()}`)
  const faults = faultsOf(await checkInvariants(enginePool))
  console.log(faults.length === 0 ? 'the books are right' : `THE BOOKS ARE WRONG: ${faults.join(', ')}`)
  if (faults.length > 0) process.exitCode = 1
}

/** More than is reached: calls per second, and channels for calls of twice the expected length. */
async function setLines(perSecond: number): Promise<void> {
  const line = { cps: Math.ceil(perSecond / dialers), channels: Math.ceil((perSecond * callSeconds * 2) / dialers) }
  await db.updateTable('dialer').set(line).execute()
  await db.updateTable('trunk').set(line).execute()
  await db.updateTable('cli').set({ channels: line.channels }).execute()
}

/** Attempts per second, and the cost of one in PostgreSQL and this process. */
type Measure = { rate: number; cpuMicroseconds: number }

async function running(campaigns: readonly Campaign[]): Promise<readonly Campaign[]> {
  return withStatus(campaigns, 'running')
}

async function paused(campaigns: readonly Campaign[]): Promise<readonly Campaign[]> {
  return withStatus(campaigns, 'paused')
}

async function withStatus(campaigns: readonly Campaign[], status: 'running' | 'paused'): Promise<readonly Campaign[]> {
  const ids = campaigns.map((campaign) => campaign.id)
  await db.updateTable('campaign').set({ status }).where('id', 'in', ids).execute()
  return campaigns
}

async function measureIdle(fixtures: Fixtures, api: Api): Promise<void> {
  const readers = await startReaders(people, api.address, fixtures)
  await sleep(idleSeconds * 1000)
  console.log('while nothing dials')
  showReads(await readers.stop())
}

function watch(api: Api): SaturationMonitor {
  return watchSaturation({ db: watching, engine: enginePool, postgres: postgres.pid, api: api.pid })
}

async function measureBare(fixtures: Fixtures, campaigns: Campaign[], batch: number, api: Api): Promise<Measure> {
  const readers = await startReaders(people, api.address, fixtures)
  const spent = watch(api)
  const { done, rate } = await bareRate(enginePool, fixtures, await running(campaigns), { batch, seconds: bareSeconds })
  console.log(`bare statements: ${show(rate)} attempts/s, ${dialers} at once in batches of ${batch}`)
  const { lines, cpuMicroseconds } = await spent.end(done)
  await readers.stop()
  for (const line of lines) console.log(`  ${line}`)
  await paused(campaigns)
  return { rate, cpuMicroseconds }
}

/**
 * Lets the follower count all attempts, including those of the bare statements, on an otherwise idle PostgreSQL. Returns its µs per
 * attempt.
 */
async function measureFollower(): Promise<number> {
  const { rows } = await owner.query<{ attempts: number }>(
    'select coalesce(sum(cardinality(ids)), 0)::int as attempts from attempt_news',
  )
  const attempts = rows[0]?.attempts ?? 0
  const spent = () => [...cpuSecondsOfChildren(postgres.pid).values()].reduce((sum, one) => sum + one, 0)
  const [before, began] = [spent(), performance.now()]
  await countAll(db)
  const [rate, microseconds] = [attempts / ((performance.now() - began) / 1000), ((spent() - before) / attempts) * 1e6]
  console.log(`follower of insight: ${show(rate)} attempts/s, ${show(microseconds)} µs of a core an attempt`)
  return microseconds
}

async function measureEngine(
  fixtures: Fixtures,
  campaigns: readonly Campaign[],
  { rounds, api, perSecond }: { rounds: Round[]; api: Api; perSecond: number },
): Promise<Measure & { settledRows: number }> {
  const simulator = createSimulator({ recordFolder: path.join(folder, 'record'), speed })
  const counted = counting(enginePool)
  const dialerSettings = { secret: randomBytes(32), mediaFolder: path.join(folder, 'media') }
  const speech = { db, files, tts: espeakTts() }
  const deps = { pool: counted.pool, telephony: [simulator], files, speech, dialerSettings, clock: systemClock, log }
  const engine = startEngine({ ...deps, engineId: 'bench' })
  const up = watchCalls(engine)
  await sleep(warmUpSeconds * 1000)
  const readers = await startReaders(people, api.address, fixtures)
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  counted.clear()
  up.most = 0
  const [before, began, spent] = [await answered(), performance.now(), watch(api)]
  const until = began + seconds * 1000
  const pauses = await pauseOneAfterTheOther(people, api.address, owner, campaigns, until)
  await sleep(Math.max(0, until - performance.now()))
  const done = (await answered()) - before
  const rate = done / ((performance.now() - began) / 1000)
  const spending = await spent.end(done)
  delay.disable()
  const reads = await readers.stop()
  const left = await freshRows(campaigns)
  await paused(campaigns)
  await standstill()
  const pairs = await measureWithFollower({ databaseUrl, owner, answered }, rounds.values(), roundsUntil)
  await within(30_000, 'the end of the engine', engine.stop({ drainMs: 5000 }))
  simulator.close()
  console.log(`engine: ${show(rate)} attempts/s (aim 4,000), ${show(up.most)} calls in progress at most (aim 10,000)`)
  if (rate > nearLimit * perSecond && !smallest)
    console.log(`  NO MEASURE: its lines bear ${show(perSecond)} calls/s, so they are the limit`)
  if (left === 0) console.log('  NO MEASURE: its rows were used up')
  const [claim, settle] = [counted.mean('claim'), counted.mean('settle')]
  console.log(`  ${show(claim)} calls a claim, ${show(settle)} an outcome batch`)
  for (const line of spending.lines) console.log(`  ${line}`)
  const late = (ns: number) => `${show(Math.max(0, ns / 1e6 - 10))} ms`
  console.log(`  event loop late by ${late(delay.percentile(95))} (p95), ${late(delay.max)} (max)`)
  showReads(reads)
  showPauses(pauses)
  showBeside(pairs)
  const { cpuMicroseconds } = spending
  return { rate, cpuMicroseconds, settledRows: Math.max(least.batch, Math.round(settle)) }
}

/** The pool, counting the calls in each non-empty claim and settlement. */
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

/** Until no call has ended for the length of one: a call takes less than a second and a half. */
async function standstill(): Promise<void> {
  let [before, now] = [-1, await answered()]
  while (now > before) {
    await sleep(callSeconds * 1500)
    ;[before, now] = [now, await answered()]
  }
}

/** Rows that were never dialled. */
async function freshRows(campaigns: readonly Campaign[]): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    'select coalesce(sum(fresh_end - fresh_next), 0)::int as n from campaign where id = any ($1)',
    [campaigns.map(({ id }) => id)],
  )
  return rows[0]?.n ?? 0
}

async function answered(): Promise<number> {
  const { rows } = await owner.query<{ n: number }>('select coalesce(sum(answered), 0)::int as n from campaign_count')
  return rows[0]?.n ?? 0
}

/** The highest number of concurrent calls, over all dialers. */
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

function showBeside(pairs: readonly { alone: number; followed: number }[]): void {
  const sum = (of: 'alone' | 'followed') => pairs.reduce((total, pair) => total + pair[of], 0)
  const rates = pairs.map(({ alone, followed }) => `${show(alone)} → ${show(followed)}`).join(', ')
  const percent = (100 * (1 - sum('followed') / sum('alone'))).toFixed(1)
  const of = pairs.length < followerRounds.pairs ? `, ${pairs.length} of ${followerRounds.pairs} pairs in the time` : ''
  console.log(`  with insight's follower beside it, attempts/s${of}: ${rates}: ${percent} % fewer (aim 5)`)
}
