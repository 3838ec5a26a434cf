/**
 * How long calls wait while an installation in use is migrated from a version before call routes: of each migration, how long it took, and how long
 * a call that needs its tables waited at most.
 *
 *     npm run bench:migrate              two million calls, and five times as many rows that wait for their next call
 *     npm run bench:migrate -- 5         five million calls
 *
 * PostgreSQL writes to the disk of the temporary folder (TMPDIR), and needs 2 GB there for a million calls.
 */
import { rmSync } from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { startPostgres } from '@ghanti/server/db/embedded/pg-local.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { migrate, migrationsUpTo } from '@ghanti/server/db/schema/migrate.ts'
import { checkInvariants, faultsOf } from '@ghanti/server/engine/invariants/invariants.sql.ts'
import { clusterFolder } from '@ghanti/server/testing/cluster.ts'
import { beforeRoutes, fillOlder, inEachState, keepCalling } from '@ghanti/server/testing/older-version-database.ts'
import { fail, load, runBench, sizeOf } from './bench.ts'

const calls = sizeOf(2, 0.001) * 1_000_000
const waiting = calls * 5
const slowMs = 50
/** Of more calls than these the books are not checked, which would take longer than all else. */
const checkedMax = 100_000
const silentFlow = { templateId: 0, opening: [], menus: [], closing: [], speech: null, spoken: [] }

const folder = clusterFolder('bench-migrate')
const postgres = await startPostgres({ folder: path.join(folder, 'postgres') })
const url = postgres.url()
const owner = openPool({ connectionString: url, max: 3, name: 'bench', asOwner: true }, fail)
await runBench(run, [() => rmSync(folder, { recursive: true, force: true }), () => postgres.stop(), () => owner.end()])

function show(n: number): string {
  return Math.round(n).toLocaleString('en')
}

async function run(): Promise<void> {
  console.log(`${os.availableParallelism()} cores, load before ${load()}`)
  await migrate(url, migrationsUpTo(beforeRoutes))
  const { campaigns } = await fillOlder(
    { db: kyselyOver(owner), pool: owner },
    { campaigns: inEachState(2 * Math.ceil(calls / 38)), flow: silentFlow, apart: 1 },
  )
  // Of a campaign that nobody calls: the queue is one table.
  await owner.query(
    `insert into contact_retry (campaign_id, due_at, no) select $1, now() + no * interval '1 second', 1000000000 + no from generate_series(1, $2::int) no`,
    [campaigns[0]?.id, waiting],
  )
  await owner.query('vacuum analyze')
  await owner.query('checkpoint')
  const before = migrationsUpTo(beforeRoutes).length
  const names = migrationsUpTo(null)
    .slice(before)
    .map(({ name }) => name)
  let [longestMs, tookMs] = [0, 0]
  for (const name of names) {
    const calling = keepCalling(owner)
    const began = performance.now()
    await migrate(url, migrationsUpTo(name))
    const took = performance.now() - began
    const waited = await calling.end()
    longestMs = Math.max(longestMs, waited)
    tookMs += took
    if (waited > slowMs || took > 1000) console.log(`  ${name}: ${show(took)} ms, a call waited ${show(waited)} ms`)
  }
  console.log(
    `${names.length} migrations over ${show(calls)} calls and ${show(waiting)} rows that wait: ${show(tookMs / 1000)} s, a call waited ${show(longestMs)} ms at most`,
  )
  console.log(`load after ${load()}`)
  if (calls > checkedMax) return
  const faults = faultsOf(await checkInvariants(owner))
  console.log(faults.length === 0 ? 'the books are right' : `THE BOOKS ARE WRONG: ${faults.join(', ')}`)
  if (faults.length > 0) process.exitCode = 1
}
