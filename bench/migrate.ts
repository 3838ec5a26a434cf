/**
 * How long a new database takes: the schema from nothing, the job queue's tables included, one database after another.
 *
 *     npm run bench:migrate              twenty databases
 *     npm run bench:migrate -- 5         five databases
 */
import { rmSync } from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { startPostgres } from '@ghanti/server/db/embedded/pg-local.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { migrate, migrationFiles } from '@ghanti/server/db/schema/migrate.ts'
import { clusterFolder } from '@ghanti/server/testing/cluster.ts'
import { sql } from 'kysely'
import { fail, load, runBench, sizeOf } from './bench.ts'

const databases = sizeOf(20, 2)
const folder = clusterFolder('bench-migrate')
const postgres = await startPostgres({ folder: path.join(folder, 'postgres') })
const owner = openPool({ connectionString: postgres.url(), max: 1, name: 'bench', asOwner: true }, fail)
await runBench(run, [() => rmSync(folder, { recursive: true, force: true }), () => postgres.stop(), () => owner.end()])

async function run(): Promise<void> {
  console.log(`${os.availableParallelism()} cores, load before ${load()}`)
  const took: number[] = []
  for (let n = 0; n < databases; n++) {
    const name = `made_${n}`
    await sql`create database ${sql.ref(name)}`.execute(kyselyOver(owner))
    const began = performance.now()
    await migrate(postgres.url(name))
    took.push(performance.now() - began)
  }
  took.sort((a, b) => a - b)
  const [half, most] = [took[Math.floor(databases / 2)] ?? 0, took.at(-1) ?? 0].map(Math.round)
  console.log(`${databases} databases of ${migrationFiles().length} files: ${half} ms each (p50), ${most} ms at most`)
  console.log(`load after ${load()}`)
}
