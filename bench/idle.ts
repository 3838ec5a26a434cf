/**
 * What one engine process costs that has nothing to do: 100 simulated dialers, no campaign.
 *
 *     npm run bench:idle              two minutes
 *     npm run bench:idle -- 600       ten minutes, in seconds
 *
 * Aim: engine and its connections in PostgreSQL together under 2 % of a core. Engine, dialers and PostgreSQL are processes of this one machine. On a
 * machine that is shared with others the same work takes several times more CPU, and what it takes varies by the minute; how often the engine wakes does not.
 */
import { rmSync } from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { clusterFolder, startMigrated } from '@ghanti/server/testing/cluster.ts'
import { costOfBursts, fail, load, runBench, sizeOf, smallest, type Ending } from './bench.ts'
import { makeFixtures } from './dispatch/fixtures.ts'
import { cpuSeconds, cpuSecondsOfChildren, sleepsOf } from './processes.ts'
import { startScaleEngine, startScaleNetwork } from './scale/processes.ts'

const seconds = sizeOf(120, 2)
const dialers = smallest ? 10 : 100
/** Until each dialer was connected, and its state written. */
const settleSeconds = smallest ? 1 : 15
const aim = 0.02

const folder = clusterFolder('bench-idle')
const postgres = await startMigrated({ folder: path.join(folder, 'postgres') })
const databaseUrl = postgres.url()
const owner = openPool({ connectionString: databaseUrl, max: 2, name: 'bench', asOwner: true }, fail)
const ending: Ending[] = [
  () => rmSync(folder, { recursive: true, force: true }),
  () => postgres.stop(),
  () => owner.end(),
]
await runBench(run, ending)

async function run(): Promise<void> {
  console.log(`${os.availableParallelism()} cores, load before ${load()}`)
  const db = kyselyOver(owner)
  const { lines } = await makeFixtures(db, { users: 1, dialers, line: { channels: 200, cps: 10 } })
  const network = await startScaleNetwork({ dialers, speed: 1, folder: path.join(folder, 'network') })
  ending.push(() => network.stop())
  for (const [i, { dialerId }] of lines.entries())
    await db
      .updateTable('dialer')
      .set({ host: '127.0.0.1', port: network.ports[i] ?? 0 })
      .where('id', '=', dialerId)
      .execute()
  await owner.query('vacuum analyze')
  const engine = await startScaleEngine({ name: 'engine', database: databaseUrl, folder, settleMs: 300 })
  ending.push(() => engine.stop())
  while ((await connected()) < dialers) await sleep(100)
  await sleep(settleSeconds * 1000)

  const burstsBefore = await costOfBursts()
  const watched = [
    { name: 'engine', pid: engine.pid },
    { name: 'simulated dialers', pid: network.pid },
  ]
  const [before, connectionsBefore, statementsBefore] = [cpuSeconds(watched), await ofConnections(), await statements()]
  const sleepsBefore = sleepsOf(engine.pid)
  await sleep(seconds * 1000)
  const sleeps = (sleepsOf(engine.pid) - sleepsBefore) / seconds
  const share = (now: ReadonlyMap<unknown, number>, of: ReadonlyMap<unknown, number>, key: unknown): number =>
    ((now.get(key) ?? 0) - (of.get(key) ?? 0)) / seconds
  const [after, connectionsAfter] = [cpuSeconds(watched), await ofConnections()]
  const ofEngine = share(after, before, 'engine')
  const ofPostgres = [...connectionsAfter.keys()].reduce(
    (sum, pid) => sum + share(connectionsAfter, connectionsBefore, pid),
    0,
  )
  const inAll = ofEngine + ofPostgres
  const percent = (part: number): string => `${(part * 100).toFixed(2)} %`
  console.log(
    `${dialers} idle dialers, one engine, ${seconds} s: ${percent(inAll)} of a core (aim ${percent(aim)}): engine ${percent(ofEngine)}, its connections in PostgreSQL ${percent(ofPostgres)}`,
  )
  console.log(
    `  ${(((await statements()) - statementsBefore) / seconds).toFixed(1)} transactions/s; the engine woke ${sleeps.toFixed(1)} times a second; the simulated dialers took ${percent(share(after, before, 'simulated dialers'))}`,
  )
  const bursts = [burstsBefore, await costOfBursts()].map((times) => times.toFixed(1))
  console.log(
    `  on this machine work in short bursts took ${bursts.join(' and ')} times the CPU that it takes at one go`,
  )
  console.log(`load after ${load()}`)
}

async function connected(): Promise<number> {
  const { rows } = await owner.query<{ n: number }>('select count(*)::int as n from dialer_state where reachable')
  return rows[0]?.n ?? 0
}

/** Seconds of a core that each connection of the engine used in PostgreSQL. */
async function ofConnections(): Promise<Map<number, number>> {
  const { rows } = await owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend' and application_name not in ('bench', 'ghanti-bench')`,
  )
  const used = cpuSecondsOfChildren(postgres.pid)
  return new Map(rows.map(({ pid }) => [pid, used.get(pid) ?? 0]))
}

async function statements(): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    'select xact_commit::int as n from pg_stat_database where datname = current_database()',
  )
  return rows[0]?.n ?? 0
}
