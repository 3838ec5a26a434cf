/**
 * Import of a blacklist file compared with a bare COPY into a table with the same indexes: `npm run bench:blacklist-import [rows]`.
 * Embedded PostgreSQL with durable commits; another list of the same length (a million) exists already. A file of a tenth is imported
 * first: memory must not grow with the rows. Asserts only the counts.
 */
import assert from 'node:assert/strict'
import { createReadStream, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import * as os from 'node:os'
import * as path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { defaultQuotas } from '@ghanti/contract/quotas.ts'
import { clusterFolder, startMigrated } from '@ghanti/server/testing/cluster.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { newUser } from '@ghanti/server/testing/seed.ts'
import { importBlacklist } from '@ghanti/server/modules/blacklist/actions-import.ts'
import { from as copyFrom } from 'pg-copy-streams'
import type { Pool } from 'pg'
import { fail, load, sizeOf } from './bench.ts'

const rows = sizeOf(1_000_000, 1000)
const folder = clusterFolder('bench-blacklist')
const postgres = await startMigrated({ folder: path.join(folder, 'postgres') })
const url = postgres.url()
const owner = openPool({ connectionString: url, max: 2, name: 'bench', asOwner: true }, fail)
try {
  console.log(`${os.availableParallelism()} cores, load before ${load()}`)
  const user = await newUser({ db: kyselyOver(owner) })
  await owner.query(
    `insert into blacklist (phone, owner_id) select 9779840000000 + n * 7, (select id from account where kind = 'mint') from generate_series(1, $1::int) n`,
    [rows],
  )
  await owner.query(`insert into platform_setting (key, value) values ('quotas', $1)`, [
    JSON.stringify({ ...defaultQuotas, blacklist: 2 * rows }),
  ])
  await owner.query('create table bare (like blacklist including all)')
  await owner.query('insert into bare (phone, owner_id) select phone, owner_id from blacklist')
  await owner.query('vacuum analyze bare, blacklist')
  await measure(Math.ceil(rows / 10), 9_779_600_000_000)
  await measure(rows, 9_779_800_000_000)
  console.log(`load after ${load()}`)

  async function measure(count: number, from: number): Promise<void> {
    const file = await generated(count, from)
    console.log(`${count.toLocaleString('en')} numbers, ${(statSync(file).size / 1e6).toFixed(1)} MB`)
    const text = await timed('bare COPY, no index', count, () => bareText(owner, file))
    const bare = await timed('bare COPY, same indexes', count, () => bareCopy(owner, file, user.userId))
    const job = {
      path: file,
      declaredType: 'text/csv',
      sizeMax: 1e12,
      takes: 'row',
      fileName: path.basename(file),
    } as const
    const imported = await timed('import', count, async () => {
      const end = await importBlacklist(
        { databaseUrl: url, lost: fail },
        {
          ...job,
          ownerId: user.userId,
          hasQuota: true,
          field: 'blistFile',
          byUserId: user.userId,
          ip: '127.0.0.1',
          askColumns: false,
        },
      )
      assert(end.kind === 'stored')
      assert.deepEqual([end.accepted, end.duplicate, end.invalid], [count, 0, 0])
    })
    console.log(
      `  import: ${(bare / imported).toFixed(2)} of the bare COPY's rate, ${(text / imported).toFixed(2)} of one without indexes`,
    )
  }
} finally {
  await owner.end()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Distinct mobile numbers in random order, ten digits per line. */
async function generated(count: number, from: number): Promise<string> {
  const file = path.join(folder, `numbers-${count}.csv`)
  await using handle = await open(file, 'w')
  const step = 7_368_787 // coprime to powers of ten, so each number occurs once
  for (let at = 0; at < count; at += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, count - at) }, (_, n) => {
      const national = ((at + n) * step) % 100_000_000
      return String(from + national).slice(3)
    })
    await handle.write(`${lines.join('\n')}\n`)
  }
  return file
}

async function timed(what: string, count: number, work: () => Promise<void>): Promise<number> {
  const megabytes = (): number => Math.round(process.memoryUsage.rss() / 1e6)
  const before = megabytes()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, megabytes())), 20)
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  clearInterval(timer)
  const rate = Math.round((count / ms) * 1000).toLocaleString('en')
  console.log(`  ${what}: ${(ms / 1000).toFixed(1)} s, ${rate} rows/s, ${most} MB of memory at most, ${before} before`)
  return ms
}

async function copied(db: Pool, file: string, statement: string): Promise<void> {
  const client = await db.connect()
  try {
    await pipeline(createReadStream(file), client.query(copyFrom(statement)))
  } finally {
    client.release()
  }
}

async function bareText(db: Pool, file: string): Promise<void> {
  await db.query('create unlogged table bare_text (line text)')
  await copied(db, file, 'copy bare_text from stdin')
  await db.query('drop table bare_text')
}

async function bareCopy(db: Pool, file: string, ownerId: number): Promise<void> {
  await db.query(`alter table bare alter owner_id set default ${ownerId}`)
  await copied(db, file, 'copy bare (phone) from stdin')
}
