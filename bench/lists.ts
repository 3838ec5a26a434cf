/**
 * How fast the long lists answer over HTTP, beside their statements alone: `npm run bench:lists [size [list]]`, size 1 being 10,000 users, 10 million
 * credit entries, 10 million blacklisted numbers, 100,000 campaigns and a million attempts of one campaign; 0.01 is a hundredth of each.
 * With a list's name that list alone, over few rows of the others. Of each list and viewer: the first page and the 1,000th by cursor in each of its
 * orders, searches, and each of its filters, as much and as little as it leaves. 'http' is a request of the API in a process
 * of its own, 'statements' all that it asks the database for, sent again one after the other over one connection, 'page' the one of them that reads
 * the rows. Aims: http below 100 ms and below twice its statements, in the 95th percentile. Prints, asserts only that the lists answer.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import type { Route } from '@ghanti/contract/route.ts'
import { routes } from '@ghanti/contract/routes.ts'
import { systemClock } from '@ghanti/server/clock.ts'
import { readConfig } from '@ghanti/server/config.ts'
import { openJobs } from '@ghanti/server/db/jobs.ts'
import { migrate } from '@ghanti/server/db/migrate.ts'
import { startPostgres } from '@ghanti/server/db/pg-local.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { localFiles } from '@ghanti/server/drivers/files/local.ts'
import { espeakTts } from '@ghanti/server/drivers/tts/espeak.ts'
import { tokenOf } from '@ghanti/server/testing/seed.ts'
import type { Viewer } from '@ghanti/server/policy.ts'
import { pino } from 'pino'
import { fail, load, sizeOf, smallest, startApi } from './bench.ts'
import { earsOn, inPercentile, type Ears, type Statement } from './lists-statements.ts'
import { makeWorld, type World } from './lists-world.ts'
import { WorkLimits } from '../server/src/modules/limits/actions.ts'

const size = sizeOf(1, 0.0001)
/** 'credits': that list alone. */
const only = process.argv[3]
assert(size > 0 && size <= 1, 'the size is above 0 and at most 1')
const wholly = (list: string) => size * (only === undefined || only === list ? 1 : 0.001)
const sizes = {
  users: Math.ceil(10_000 * size),
  credits: Math.ceil(10_000_000 * wholly('credits')),
  blacklist: Math.ceil(10_000_000 * wholly('blacklist')),
  campaigns: Math.ceil(100_000 * size),
  attempts: Math.ceil(1_000_000 * wholly('attempts')),
}
const pageSize = 25
const nthPage = 1000
const times = smallest ? 1 : 40
const warmUps = smallest ? 0 : 3
/** For one figure; what takes longer is measured less often. */
const patienceMs = 5000

type List = {
  name: string
  viewer: Viewer
  url: string
  sort: readonly string[]
  searches: Record<string, string>
  /** Each as the address has it. */
  filters: readonly string[]
}

const days = (back: number) => new Date(Date.now() - back * 24 * 3600_000).toISOString().slice(0, 10)
const oldest = `..${days(300)}`

/** What many rows match, what few do, what none does, and what lies at the far end of the list's order. */
function filtersOf({ reseller, user, line }: World) {
  const ofPeople = [`customer=${reseller.userId}`, `customer=${user.userId}&status=paused`]
  const campaigns = [
    'status=complete',
    'status=cancelled,paused',
    'status=running',
    'template=1',
    'created=today',
    `created=${oldest}`,
    'scheduled=last7',
    `scheduled=${oldest}`,
    `cli=${line.cli}`,
    `status=refused&template=2&scheduled=${oldest}`,
    'status=complete&search=zzzzzz',
  ]
  return {
    campaigns: { own: campaigns, below: [...campaigns, ...ofPeople] },
    users: [
      'userType=user',
      'userType=reseller',
      'state=active',
      'state=disabled',
      'state=expired',
      `parent=${reseller.userId}`,
    ],
    credits: [
      'action=credit_add',
      'action=campaign_margin',
      'action=sms_refund',
      'date=last30',
      'date=2026-01-01..2026-01-02',
    ],
    creditsBelow: [`customer=${user.userId}`],
    blacklist: ['added=today', `added=${oldest}`],
    attempts: [
      'disposition=ANSWER',
      'disposition=LOST',
      'disposition=BUSY,LOST',
      'started=today',
      `started=${days(9)}..${days(9)}`,
      `started=${oldest}`,
      'disposition=BUSY&started=today',
    ],
  }
}

function listsOf(world: World): List[] {
  const { boss, reseller, user, campaignId } = world
  const filters = filtersOf(world)
  const { voiceCampaigns, users, credits, blacklist } = routes
  const named = { 'words in the middle': 'camp 1', 'found nowhere': 'zzzzzz' }
  const numbers = {
    'whole number': '9700007919',
    'first digits': '97000',
    'last digits': '7919',
    'no such number': '9811111111',
  }
  type Asked = { searches: Record<string, string>; filters: readonly string[] }
  const of = (name: string, { path, sort }: Route, id: number, viewer: Viewer, asked: Asked) => {
    return { name, viewer, url: path.replace(/:\w+/, String(id)), sort, ...asked }
  }
  const each = (name: string, route: Route, searches: Record<string, string>, own: readonly string[], below = own) =>
    [user, reseller, boss].map((viewer) =>
      of(name, route, viewer.userId, viewer, { searches, filters: viewer === user ? own : below }),
    )
  const people = { 'a customer': 'company', 'a status': 'Complete' }
  return [
    ...each('campaigns', voiceCampaigns.list, { ...named, ...people }, filters.campaigns.own, filters.campaigns.below),
    ...[reseller, boss].map((viewer) =>
      of('users', users.list, viewer.userId, viewer, {
        searches: { ...named, 'a name': 'user 77', number: numbers['last digits'] },
        filters: filters.users,
      }),
    ),
    ...each('credits', credits.history, { ...named, reference: 'Receipt 77' }, filters.credits, [
      ...filters.credits,
      ...filters.creditsBelow,
    ]),
    ...each('blacklist', blacklist.list, numbers, filters.blacklist),
    of('attempts', voiceCampaigns.attempts, campaignId, user, { searches: numbers, filters: filters.attempts }),
  ]
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'ghanti-bench-lists-'))
// What is filled in need not outlive a crash; reading is the same.
const settings = { fsync: 'off', full_page_writes: 'off', max_wal_size: '8GB', shared_buffers: '512MB' }
const postgres = await startPostgres({ folder: path.join(folder, 'postgres'), settings })
try {
  console.log(`${os.availableParallelism()} cores, load before ${load()}`)
  await migrate(postgres.url())
  const owner = openPool({ connectionString: postgres.url(), max: 2, name: 'bench', asOwner: true }, fail)
  const world = await makeWorld(owner, sizes)
  await owner.end()
  await measure(world)
  console.log(`load after ${load()}`)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(world: World): Promise<void> {
  const pool = openPool({ connectionString: postgres.url(), max: 4, name: 'bench' }, fail)
  const log = pino({ level: 'error' })
  const jobs = await openJobs(postgres.url(), log, { supervise: false })
  const config = readConfig({ DATA_FOLDER: folder, LOG_LEVEL: 'error', PORT: '0' })
  const db = kyselyOver(pool)
  const app = {
    config,
    db,
    databaseUrl: postgres.url(),
    clock: systemClock,
    log,
    files: localFiles(folder),
    jobs,
    mail: null,
    mailbox: null,
    tts: espeakTts(),
    workLimits: new WorkLimits(),
  }
  const ears = await earsOn(app, pool)
  const api = await startApi(postgres.url(), folder)
  try {
    const { address } = api
    console.log(`\n${'p50, p95 in ms'.padEnd(66)}    http        statements      page   ratio`)
    for (const list of listsOf(world).filter(({ name }) => name === (only ?? name))) {
      const token = await tokenOf(app, list.viewer.userId)
      await measureList(list, { ears, address, pool, headers: { authorization: `Bearer ${token}` } })
    }
  } finally {
    await api.stop()
    await ears.close()
    await jobs.stop({ graceful: false })
    await pool.end()
  }
}

type Means = { ears: Ears; address: string; pool: ReturnType<typeof openPool>; headers: Record<string, string> }

async function measureList(list: List, means: Means): Promise<void> {
  const name = `${list.name} (${list.viewer.role})`
  for (const key of list.sort) {
    const [sort, order] = key.startsWith('-') ? [key.slice(1), 'desc'] : [key, 'asc']
    const asked = `pageSize=${pageSize}&sort=${sort}&order=${order}`
    await measureOne(`${name} by ${key}, first page`, `${list.url}?page=1&${asked}`, means)
    const after = await cursorOf(list.url, { sort, order }, means)
    if (after) await measureOne(`${name} by ${key}, page ${nthPage}`, `${list.url}?${asked}&after=${after}`, means)
  }
  for (const filter of list.filters)
    await measureOne(`${name}, ${filter}`, `${list.url}?page=1&pageSize=${pageSize}&${filter}`, means)
  for (const [what, text] of Object.entries(list.searches))
    await measureOne(
      `${name}, ${what}`,
      `${list.url}?page=1&pageSize=${pageSize}&search=${encodeURIComponent(text)}`,
      means,
    )
}

/** Of the 999th page; undefined: the list is shorter. */
async function cursorOf(
  url: string,
  { sort, order }: { sort: string; order: string },
  means: Means,
): Promise<string | undefined> {
  let after = ''
  for (let rows = (nthPage - 1) * pageSize; rows > 0; rows -= 1000) {
    const asked = `sort=${sort}&order=${order}&pageSize=${Math.min(1000, rows)}${after === '' ? '' : `&after=${after}`}`
    const reply = await fetch(`${means.address}${url}?${asked}`, { headers: means.headers })
    await reply.arrayBuffer()
    const next = reply.headers.get('x-next-after')
    if (next === null) return undefined
    after = next
  }
  return after
}

async function measureOne(what: string, url: string, { ears, address, pool, headers }: Means): Promise<void> {
  const statements = await ears.statementsOf(url, headers)
  const page = statements.findLast(({ text }) => /\blimit\b/.test(text) && !/count\(\*\)/.test(text))
  const http = await timed(async () => {
    const reply = await fetch(`${address}${url}`, { headers })
    assert.equal(reply.status, 200, await reply.text())
  })
  const client = await pool.connect()
  const ask = ({ text, values }: Statement) => client.query(text, values)
  const all = await timed(async () => {
    for (const statement of statements) await ask(statement)
  })
  const alone = await timed(async () => page && void (await ask(page)))
  client.release()
  const pair = (figures: number[]) =>
    [50, 95].map((percent) => inPercentile(figures, percent).toFixed(1).padStart(7)).join('')
  const [p95, bare] = [inPercentile(http, 95), inPercentile(all, 95)]
  const missed = p95 > 100 || p95 > 2 * bare ? ' !' : ''
  console.log(`${what.padEnd(62)}${pair(http)} ${pair(all)} ${pair(alone)}  ${(p95 / bare).toFixed(1)}${missed}`)
}

async function timed(work: () => Promise<unknown>): Promise<number[]> {
  const figures: number[] = []
  const all = performance.now()
  for (let i = -warmUps; i < times; i++) {
    const began = performance.now()
    await work()
    const ms = performance.now() - began
    if (i >= 0) figures.push(ms)
    if (performance.now() - all > patienceMs && i >= 5) break
  }
  return figures
}
