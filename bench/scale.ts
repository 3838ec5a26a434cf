/**
 * Engines that share dialers: what one, two and four engine processes do over ten simulated dialers on one PostgreSQL, and what they wait for.
 *
 *     npm run bench:scale                   1, 2 and 4 engines, 10 s each
 *     npm run bench:scale -- 30             30 s each
 *     npm run bench:scale -- --campaigns 1000     with so many campaigns at once, in place of one on each dialer
 *     npm run bench:soak                    100 dialers and 20,000 channels at real speed, two engines, ten minutes
 *     npm run bench:soak -- 3               three minutes of it
 *
 * Engines, dialers, API and PostgreSQL are processes of this one machine, so more engines help as far as it has cores. Exits with 1 when the books
 * are wrong afterwards.
 */
import { rmSync } from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '@ghanti/server/clock.ts'
import { clusterFolder, startMigrated } from '@ghanti/server/testing/cluster.ts'
import { kyselyOver, openPool, type PoolOptions } from '@ghanti/server/db/pool.ts'
import { testFiles } from '@ghanti/server/testing/files/test-files.ts'
import { faultsOf } from '@ghanti/server/dispatch/faults.ts'
import { checkInvariants } from '@ghanti/server/voice/invariants/invariants.sql.ts'
import { enginePoolOptions } from '@ghanti/server/dispatch/statement.ts'
import { defaultCallingHours } from '@ghanti/server/modules/platform/rules-hours.ts'
import { settings } from '@ghanti/server/modules/platform/rules.ts'
import type { Pool } from 'pg'
import { fail, load, runBench, sizeOf, smallest, startApi, within, type Api, type Ending } from './bench.ts'
import { makeCampaigns, makeFixtures, threeSeconds, type Campaign, type Fixtures } from './dispatch/fixtures.ts'
import { p95, pauseOneAfterTheOther } from './dispatch/people.ts'
import { figures, sampleBackends, statementSeconds } from './dispatch/saturation.ts'
import { cpuSeconds, cpuSecondsOfChildren } from './processes.ts'
import { startScaleEngine, startScaleNetwork, type ScaleEngine, type ScaleNetwork } from './scale/processes.ts'

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { soak: { type: 'boolean' }, smallest: { type: 'boolean' }, campaigns: { type: 'string' } },
})
const isSoak = given.soak === true
/** In a soak, minutes; otherwise seconds with each number of engines. */
const size = isSoak ? sizeOf(10, 0.1, positionals) : sizeOf(10, 2, positionals)
const shape = isSoak
  ? { engines: [2], dialers: smallest ? 10 : 100, seconds: size * 60, callMs: 40_000, speed: 1, channels: 200 }
  : { engines: smallest ? [2] : [1, 2, 4], dialers: 10, seconds: size, callMs: 4000, speed: 4, channels: 2000 }
/** Running at the same time, the same number on each dialer. */
const campaignsAtOnce = sizeOf(shape.dialers, shape.dialers, given.campaigns === undefined ? [] : [given.campaigns])
/** Of each dialer. A soak fills its channels; the other aims at more than the machine can do. */
const callsPerSecond = isSoak ? (shape.channels * 1000) / shape.callMs : smallest ? 10 : 400
const users = 10
/** In a soak, until the channels are full. */
const warmUpSeconds = isSoak && !smallest ? shape.callMs / 1000 + 5 : smallest ? 0.5 : 3
const settleMs = 300
/** With every campaign paused. */
const idleSeconds = smallest ? 0.5 : 10
/** What the machine may reach, so that rows do not run out. */
const attemptsMax = isSoak ? callsPerSecond * shape.dialers : smallest ? 100 : 2500
const spreadWithinMs = 60_000

const folder = clusterFolder('bench-scale')
const postgres = await startMigrated({
  folder: path.join(folder, 'postgres'),
  settings: { shared_preload_libraries: 'pg_stat_statements' },
})
const databaseUrl = postgres.url()
const poolOf = (name: string, max: number, more: Partial<PoolOptions> = {}): Pool =>
  openPool({ connectionString: databaseUrl, max, name, ...more }, fail)
const pool = poolOf('bench', 5)
const owner = poolOf('bench-owner', 3, { asOwner: true })
const checking = poolOf('bench-check', 1, { options: enginePoolOptions })
const db = kyselyOver(pool)
const files = testFiles(path.join(folder, 'files'))
const ending: Ending[] = [
  () => rmSync(folder, { recursive: true, force: true }),
  () => postgres.stop(),
  ...[pool, owner, checking].map((one) => () => one.end()),
]
await runBench(run, ending)

function show(n: number, digits = 0): string {
  return n.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

async function run(): Promise<void> {
  console.log(`${os.availableParallelism()} cores, load before ${load()}`)
  const value = JSON.stringify({ ...defaultCallingHours, enabled: false })
  await db.insertInto('platform_setting').values({ key: settings.callingHours.key, value }).execute()
  const { dialers, channels, speed, seconds } = shape
  const line = { channels, cps: callsPerSecond }
  const fixtures = await makeFixtures(db, { users, dialers, line })
  const network = await startScaleNetwork({ dialers, speed, folder: path.join(folder, 'network') })
  ending.push(() => network.stop())
  for (const [i, { dialerId }] of fixtures.lines.entries())
    await db
      .updateTable('dialer')
      .set({ host: '127.0.0.1', port: network.ports[i] ?? 0 })
      .where('id', '=', dialerId)
      .execute()
  const three = await threeSeconds(files, Buffer.from('three seconds'))
  const opening = isSoak ? [{ ...three, durationMs: shape.callMs - 1000 }] : [three]
  const attempts = attemptsMax * (seconds + warmUpSeconds + 8) * shape.engines.length
  const rows = Math.ceil(attempts / campaignsAtOnce / 50) * 50
  const apart = Math.max(2 * rows, isSoak ? 50_000 : Math.floor(10_000_000 / campaignsAtOnce))
  const made = { campaigns: campaignsAtOnce, rows, status: 'paused', opening, apart } as const
  const campaigns = await makeCampaigns(db, fixtures, made)
  await owner.query('vacuum analyze')
  await owner.query('create extension pg_stat_statements')
  const api = await startApi(databaseUrl, folder)
  ending.push(() => api.stop())
  for (const engines of shape.engines) await measure(engines, { fixtures, campaigns, network, api })
  console.log(`load after ${load()}`)
  const faults = faultsOf(await checkInvariants(checking))
  console.log(faults.length === 0 ? 'the books are right' : `THE BOOKS ARE WRONG: ${faults.join(', ')}`)
  if (faults.length > 0) process.exitCode = 1
}

async function withStatus(campaigns: readonly Campaign[], status: 'running' | 'paused'): Promise<void> {
  const ids = campaigns.map(({ id }) => id)
  await db.updateTable('campaign').set({ status }).where('id', 'in', ids).execute()
}

type Place = { fixtures: Fixtures; campaigns: readonly Campaign[]; network: ScaleNetwork; api: Api }

async function measure(n: number, { campaigns, network, api }: Place): Promise<void> {
  const engines: ScaleEngine[] = []
  for (let i = 1; i <= n; i++)
    engines.push(await startScaleEngine({ name: `engine-${n}-${i}`, database: databaseUrl, folder, settleMs }))
  try {
    await spread(engines)
    const watched = [
      ...engines.map(({ name, pid }) => ({ name, pid })),
      { name: 'simulated dialers', pid: network.pid },
      { name: 'API', pid: api.pid },
    ]
    const idle = watchCpu(watched)
    await sleep(idleSeconds * 1000)
    const whileIdle = figures(idle(), idleSeconds, 3)
    await withStatus(campaigns, 'running')
    await sleep(warmUpSeconds * 1000)
    await Promise.all(engines.map((engine) => engine.figures()))
    const [cpu, before, began] = [watchCpu(watched), await attemptsMade(), performance.now()]
    await owner.query('select pg_stat_statements_reset()')
    const sampler = sampleBackends(owner)
    const until = began + shape.seconds * 1000
    const calls = watchCalls(until)
    const rowWaits = watchRows(until)
    const people = { db, clock: systemClock }
    const pausesUntil = smallest ? began + 2100 : isSoak ? began + 12_000 : until
    const pauses = await pauseOneAfterTheOther(people, api.address, owner, campaigns, pausesUntil)
    await sleep(Math.max(0, until - performance.now()))
    const [seconds, done] = [(performance.now() - began) / 1000, (await attemptsMade()) - before]
    const { waits, samples } = await sampler.end()
    const used = cpu()
    const own = await Promise.all(engines.map((engine) => engine.figures()))
    const statements = await statementSeconds(owner, new Map(own.flatMap(({ names }) => names)))
    const claims = own.flatMap(({ claimsMs }) => claimsMs)
    const up = Math.max(
      await calls,
      own.reduce((sum, one) => sum + one.up, 0),
    )
    console.log(
      `${n} ${n === 1 ? 'engine' : 'engines'}, ${shape.dialers} dialers, ${show(campaignsAtOnce)} campaigns: ${show(done / seconds)} attempts/s over ${show(seconds)} s, ${show(up)} calls in progress at most`,
    )
    console.log(
      `  a claim takes ${show(mean(claims), 1)} ms (mean of ${claims.length}), ${show(p95(claims), 1)} ms (p95), ${show(Math.max(0, ...claims))} ms (max)`,
    )
    const [repliedMs, lastMs] = [pauses.map((one) => one.repliedMs), pauses.map((one) => one.lastMs)]
    console.log(
      `  pause: answered in ${show(p95(repliedMs))} ms, the last call begun after ${show(p95(lastMs))} ms (p95 of ${pauses.length}, aim 1,000)`,
    )
    console.log(`  PostgreSQL, at once: ${figures(waits, samples, 1)}`)
    console.log(`  rows waited for, at once: ${await rowWaits}`)
    console.log(`  PostgreSQL, µs of a statement an attempt: ${figures(statements, done / 1e6, 0)}`)
    console.log(`  cores: ${figures(used, seconds, 2)}`)
    console.log(`  cores before, while idle: ${whileIdle}`)
    for (const [i, one] of own.entries())
      console.log(
        `  ${engines[i]?.name}: ${show(one.memoryMb)} MB; event loop late by ${show(one.lateMs.p95)} ms (p95), ${show(one.lateMs.max)} ms (max); a tick takes ${show(p95(one.ticksMs))} ms (p95)`,
      )
    await withStatus(campaigns, 'paused')
    await settled()
  } finally {
    await withStatus(campaigns, 'paused')
    await Promise.all(engines.map((engine) => engine.stop()))
  }
}

/** Returns what reads the seconds of a core that each process, and PostgreSQL with all its own, used since this call. */
function watchCpu(watched: readonly { name: string; pid: number }[]): () => Map<string, number> {
  const [before, backendsBefore] = [cpuSeconds(watched), cpuSecondsOfChildren(postgres.pid)]
  return () => {
    const used = new Map([...cpuSeconds(watched)].map(([name, now]) => [name, now - (before.get(name) ?? 0)]))
    const ofPostgres = [...cpuSecondsOfChildren(postgres.pid)].map(([pid, now]) => now - (backendsBefore.get(pid) ?? 0))
    return used.set(
      'PostgreSQL',
      ofPostgres.reduce((sum, one) => sum + Math.max(0, one), 0),
    )
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)
}

async function spread(engines: readonly ScaleEngine[]): Promise<void> {
  const least = Math.floor(shape.dialers / engines.length)
  for (const deadline = performance.now() + spreadWithinMs; ; await sleep(100)) {
    const { rows } = await owner.query<{ name: string; n: number }>(
      `select e.name, count(*)::int as n from dialer_lease l join engine e on e.liveness = l.liveness where l.expires_at > now() group by 1`,
    )
    if (rows.length === engines.length && rows.every(({ n }) => n >= least)) return
    if (performance.now() > deadline) throw new Error(`the dialers are not spread: ${JSON.stringify(rows)}`)
  }
}

async function attemptsMade(): Promise<number> {
  const { rows } = await owner.query<{ n: number }>('select coalesce(sum(attempts), 0)::int as n from campaign_count')
  return rows[0]?.n ?? 0
}

/** The tables whose rows are waited for. The first that waits for a transaction holds the row's own lock, for which the others wait. */
async function watchRows(until: number): Promise<string> {
  const waits = new Map<string, number>()
  let samples = 0
  for (; performance.now() < until; samples++) {
    const { rows } = await owner.query<{ name: string; n: number }>(
      `select l.relation::regclass::text as name, count(distinct l.pid)::int as n from pg_locks l
       where l.locktype = 'tuple' and exists (select from pg_locks w where w.pid = l.pid and not w.granted) group by 1`,
    )
    for (const { name, n } of rows) waits.set(name, (waits.get(name) ?? 0) + n)
    await sleep(50)
  }
  return figures(waits, samples, 1) || 'none'
}

/** The most calls in progress, as the database has them. */
async function watchCalls(until: number): Promise<number> {
  let most = 0
  while (performance.now() < until) {
    const { rows } = await owner.query<{ n: number }>('select coalesce(sum(in_call), 0)::int as n from campaign_count')
    most = Math.max(most, rows[0]?.n ?? 0)
    await sleep(1000)
  }
  return most
}

/** Resolves when no call is up. */
async function settled(): Promise<void> {
  const left = async (): Promise<number> =>
    (await owner.query<{ n: number }>('select count(*)::int as n from attempt_open')).rows[0]?.n ?? 0
  const ends = async (): Promise<void> => {
    while ((await left()) > 0) await sleep(100)
  }
  await within(shape.callMs / shape.speed + 60_000, 'the end of the calls', ends())
}
