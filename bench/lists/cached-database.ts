/** A bench's database, made once a day and kept for later runs, which apply migrations that came since. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { migrate } from '@ghanti/server/db/schema/migrate.ts'
import { startPostgres, type LocalPostgres } from '@ghanti/server/db/embedded/pg-local.ts'
import { openPool } from '@ghanti/server/db/pool.ts'
import { startMigrated } from '@ghanti/server/testing/cluster.ts'
import type { Pool } from 'pg'
import { fail } from '../bench.ts'

export type Opened<Fixtures> = { postgres: LocalPostgres; folder: string; fixtures: Fixtures; close(): Promise<void> }
type Kept<Fixtures, Sizes> = {
  name: string
  sizes: Sizes
  /** Files in bench/ whose change makes a new database necessary. */
  sources: readonly string[]
  make: (pool: Pool, sizes: Sizes) => Promise<Fixtures>
  /** Keeps the folder for the next run; each bench keeps at most one. */
  keep: boolean
}

// The rows need not survive a crash, and reading is unaffected. The log is kept short, since nothing is read from it.
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_wal_size: '1GB',
  shared_buffers: '512MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/** Sizes, sources and the day, since some filters count back from today. */
function keyOf(sizes: unknown, files: readonly string[]): string {
  const sources = files.map((name) => readFileSync(path.join(import.meta.dirname, '..', name)))
  const hash = createHash('sha256').update(`${JSON.stringify(sizes)} ${new Date().toDateString()}`)
  for (const source of sources) hash.update(source)
  return hash.digest('hex')
}

export async function openFixtures<Fixtures, Sizes>(of: Kept<Fixtures, Sizes>): Promise<Opened<Fixtures>> {
  const { name, sizes, sources, make, keep } = of
  const kept = path.join(os.tmpdir(), `ghanti-bench-${name}`)
  const folder = keep ? kept : mkdtempSync(`${kept}-`)
  const mark = path.join(folder, 'fixtures.json')
  const key = keyOf(sizes, sources)
  if (existsSync(mark)) {
    const made: { key: string; fixtures: Fixtures } = JSON.parse(readFileSync(mark, 'utf8'))
    const found = made.key === key ? await reopened(folder) : null
    if (found) return { postgres: found, folder, fixtures: made.fixtures, close: () => found.stop() }
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const postgres = await startMigrated({ folder: path.join(folder, 'postgres'), settings })
  const close = async () => {
    await postgres.stop()
    if (!keep) rmSync(folder, { recursive: true, force: true })
  }
  try {
    const owner = openPool({ connectionString: postgres.url(), max: 4, name: 'bench', asOwner: true }, fail)
    const fixtures = await make(owner, sizes)
    await owner.end()
    writeFileSync(mark, JSON.stringify({ key, fixtures }))
    return { postgres, folder, fixtures, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Null when it was made with other migrations than today's. */
async function reopened(folder: string): Promise<LocalPostgres | null> {
  const postgres = await startPostgres({ folder: path.join(folder, 'postgres'), settings })
  try {
    const applied = await migrate(postgres.url())
    console.log(`  found from before; migrated: ${applied.join(', ') || 'nothing'}`)
    if (applied.length === 0) return postgres
    const owner = openPool({ connectionString: postgres.url(), max: 1, name: 'bench', asOwner: true }, fail)
    await owner.query('vacuum (analyze)')
    await owner.end()
    return postgres
  } catch (error) {
    console.log(`  made again: ${String(error)}`)
    await postgres.stop()
    return null
  }
}
