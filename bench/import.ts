/**
 * How fast a contact file becomes a campaign's rows, compared with a bare COPY of the same file: `npm run bench:import [rows]`. Embedded PostgreSQL
 * with durable commits, and a blacklist as long as the file (a million). A file of a tenth is imported first: memory must not grow with the rows,
 * except for the numbers seen. Asserts only the counts.
 */
import { espeakTts } from '@ghanti/server/drivers/tts/espeak.ts'
import { systemClock } from '@ghanti/server/clock.ts'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createReadStream, rmSync, statSync } from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pipeline } from 'node:stream/promises'
import { clusterFolder, startMigrated } from '@ghanti/server/testing/cluster.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { testFiles } from '@ghanti/server/testing/files/test-files.ts'
import { takeover } from '@ghanti/server/dispatch/lease/lease.sql.ts'
import { prepareCampaign } from '@ghanti/server/voice/prepare/prepare.ts'
import { enginePoolOptions } from '@ghanti/server/dispatch/statement.ts'
import { newLine, newUser } from '@ghanti/server/testing/seed.ts'
import type { Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { fail, load, sizeOf } from './bench.ts'

const Expected = z.object({ rows: z.number(), accepted: z.number(), invalid: z.number(), duplicate: z.number() })
type Expected = z.output<typeof Expected>

const rows = sizeOf(1_000_000, 1000)
const silentFlow = JSON.stringify({ templateId: 0, opening: [], menus: [], closing: [] })
const folder = clusterFolder('bench-import')
const files = testFiles(path.join(folder, 'files'))
const postgres = await startMigrated({ folder: path.join(folder, 'postgres') })
const url = postgres.url()
const owner = openPool({ connectionString: url, max: 2, name: 'bench', asOwner: true }, fail)
const pool = openPool({ connectionString: url, max: 4, name: 'bench-engine', options: enginePoolOptions }, fail)
try {
  console.log(`${os.availableParallelism()} cores, load before ${load()}`)
  await owner.query(
    `insert into blacklist (phone, owner_id) select 9779840000000 + n * 7, (select id from account where kind = 'mint') from generate_series(1, $1::int) n`,
    [rows],
  )
  await owner.query('vacuum analyze blacklist')
  const composed = await composer()
  await measure(Math.ceil(rows / 10))
  await measure(rows)
  console.log(`load after ${load()}`)

  async function measure(rows: number): Promise<void> {
    const { file, expected } = generated(rows)
    console.log(`${rows.toLocaleString('en')} rows, ${(statSync(file).size / 1e6).toFixed(1)} MB`, expected)
    const bare = await timed('bare COPY of the file', rows, () => bareCopy(owner, file))
    const campaign = await composed(file)
    const imported = await timed('import', rows, () => prepare(campaign, expected))
    console.log(`  ${(imported / bare).toFixed(1)} times the bare COPY`)
  }
} finally {
  await Promise.all([owner.end(), pool.end()])
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Generated in another process, so that its memory does not count. */
function generated(rows: number): { file: string; expected: Expected } {
  const file = path.join(folder, `contacts-${rows}.csv`)
  const script = path.join(import.meta.dirname, 'generate-contacts.ts')
  const output = execFileSync(process.execPath, [script, file, String(rows)], { encoding: 'utf8' })
  return { file, expected: Expected.parse(JSON.parse(output)) }
}

async function timed(what: string, rows: number, work: () => Promise<string>): Promise<number> {
  const lag = monitorEventLoopDelay({ resolution: 10 })
  lag.enable()
  const memory = watchMemory()
  const began = performance.now()
  const detail = await work()
  const ms = performance.now() - began
  lag.disable()
  const figures = [`${(ms / 1000).toFixed(1)} s`, `${Math.round((rows / ms) * 1000).toLocaleString('en')} rows/s`]
  const late = `event loop held up ${Math.round(lag.max / 1e6)} ms at most`
  console.log(`  ${what}: ${[...figures, detail, late, memory.end()].filter((one) => one !== '').join(', ')}`)
  return ms
}

/** The memory of this process, threads included. */
function watchMemory(): { end(): string } {
  const megabytes = (): number => Math.round(process.memoryUsage.rss() / 1e6)
  const before = megabytes()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, megabytes())), 20)
  return {
    end() {
      clearInterval(timer)
      return `${most} MB of memory at most, ${before} before`
    },
  }
}

async function bareCopy(db: Pool, file: string): Promise<string> {
  const client = await db.connect()
  try {
    await client.query('begin; create temp table bare (line text) on commit drop')
    const copy = client.query(
      copyFrom(String.raw`copy bare from stdin with (format csv, delimiter E'\x02', quote E'\x01')`),
    )
    await pipeline(createReadStream(file), copy)
    await client.query('commit')
  } finally {
    client.release()
  }
  return ''
}

type Composed = { campaignId: number; dialerId: number }

/** Returns a function that makes a campaign, as compose leaves it, of one user on one caller ID. */
async function composer(): Promise<(file: string) => Promise<Composed>> {
  const db = kyselyOver(pool)
  const user = await newUser({ db })
  const line = await newLine({ db }, { holders: [user] })
  return async (file) => {
    const { rows: bases } = await owner.query<{ id: number }>(
      `insert into base (owner_id, name, file_hash, size_bytes, rows, dialable, columns) values ($1, $3, $2, 0, 0, 0, '{mobile}') returning id`,
      [user.userId, await files.put(file), path.basename(file)],
    )
    const { rows: campaigns } = await owner.query<{ id: number }>(
      `with made as (
      insert into campaign (account_id, dialer_id, trunk_id, cli_id, start_at, dial_until, channels, reserve_paisa, retries, retry_ms)
      values ($1, $2, $3, $4, now(), now() + interval '7 days', 30, 0, 2, 600000) returning id
    ), detailed as (
      insert into campaign_detail (campaign_id, name, template_id, base_id, flow, composed, retry_interval_minutes) select id, $6, 0, $5, $7, '{}', 10 from made
    ), priced as (
      insert into campaign_level (campaign_id, level, payer_id, payee_id, pulse_ms, pulse_paisa) select m.id, 0, a.id, a.parent_id, 15000, 40 from made m, account a where a.id = $1
    ), shown as (
      insert into campaign_progress (campaign_id, account_id, name, template_id, status, start_at) select id, $1, $6, 0, 'processing', now() from made
    )
    select id from made`,
      [user.userId, line.dialerId, line.trunkId, line.cliId, bases[0]?.id, path.basename(file), silentFlow],
    )
    assert(campaigns[0])
    return { campaignId: campaigns[0].id, dialerId: line.dialerId }
  }
}

async function prepare({ campaignId, dialerId }: Composed, expected: Expected): Promise<string> {
  const lease = await takeover(pool, dialerId, 'bench', 3_600_000)
  assert(lease)
  const speech = { db: kyselyOver(pool), files, tts: espeakTts() }
  const deps = { pool, files, speech, clock: systemClock, log: pino({ level: 'silent' }), sizeMax: 1e12 }
  const prepared = await prepareCampaign(deps, lease, campaignId, new AbortController().signal)
  assert(prepared.kind === 'prepared')
  assert.equal(prepared.uploaded, expected.accepted)
  return `${prepared.uploaded.toLocaleString('en')} uploaded`
}
