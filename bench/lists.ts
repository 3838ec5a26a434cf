/**
 * How fast the lists answer over HTTP: `npm run bench:lists [-- [size] [lists] [--each]]`, size 1 being 10,000 accounts, 100,000 campaigns, a million attempts
 * of one of them, 10 million lines of the credits history and as many blacklisted numbers; 0.01 is a hundredth of each. Named groups or lists, such as
 * `audit credits.history`, are asked alone; with --each a line for each question. The rows are kept for the day (lists-kept.ts).
 *
 * A list is asked by everybody who may read it, an API in a process of its own answers. A question that is quick at once is not asked again; one that comes near the aim
 * a few times; the 95th percentile of any other is that of forty, of ten where one took a second. Aim: below 100 ms for each question. What misses it is shown with what the database did for it, by statement:
 * time, and pages of 8 kB, which a busy machine does not change. At size 1 a list that misses the aim fails the run.
 */
import assert from 'node:assert/strict'
import * as os from 'node:os'
import { systemClock } from '@ghanti/server/clock.ts'
import { readConfig } from '@ghanti/server/config.ts'
import { openJobs } from '@ghanti/server/db/jobs.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { httpAddresses } from '@ghanti/server/drivers/addresses/http.ts'
import { localFiles } from '@ghanti/server/drivers/files/local.ts'
import { espeakTts } from '@ghanti/server/drivers/tts/espeak.ts'
import { tokenOf } from '@ghanti/server/testing/seed.ts'
import { pino } from 'pino'
import { WorkLimits } from '../server/src/modules/limits/actions.ts'
import { fail, load, sizeOf, smallest, startApi } from './bench.ts'
import { openFixtures, type Opened } from './lists-kept.ts'
import { makeFixtures, type Fixtures } from './lists-fixtures.ts'
import { listsOf, pageSize, type List } from './lists-questions.ts'
import { costOf, earsOn, inPercentile, type Ears } from './lists-statements.ts'

const said = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isSize = (argument: string) => /^[\d.]+$/.test(argument)
const size = sizeOf(1, 0.0001, said.filter(isSize))
assert(size > 0 && size <= 1, 'the size is above 0 and at most 1')
const names = said.filter((argument) => !isSize(argument))
const showsEach = process.argv.includes('--each')
const sizes = {
  users: Math.ceil(10_000 * size),
  credits: Math.ceil(10_000_000 * size),
  blacklist: Math.ceil(10_000_000 * size),
  campaigns: Math.ceil(100_000 * size),
  attempts: Math.ceil(1_000_000 * size),
}
const aimMs = 100
/**
 * So many answers are enough where none took longer. The first of several does not count: it finds pages on the disk and statements unplanned, and is
 * the slowest for it.
 */
const enough = [
  { answers: 1, ms: 50 },
  { answers: 4, ms: 50 },
  { answers: 8, ms: 75 },
] as const
const times = 40
/** Whoever takes this long has missed the aim however often he is asked. */
const slowMs = 1000
const slowTimes = 10
const nthPage = 1000

const sources = ['lists-fixtures.ts', 'lists-rows.ts', 'lists-sms.ts']
const opened = await openFixtures({ name: 'lists', sizes, sources, make: makeFixtures, keep: !smallest })
try {
  console.log(`${os.availableParallelism()} cores, load before ${load()}`)
  const missed = await measure(opened)
  console.log(`load after ${load()}`)
  console.log(missed === 0 ? `every list is within ${aimMs} ms` : `${missed} questions took longer than ${aimMs} ms`)
  if (missed > 0 && size === 1) process.exitCode = 1
} finally {
  await opened.close()
}

async function measure({ postgres, folder, fixtures }: Opened<Fixtures>): Promise<number> {
  const pool = openPool({ connectionString: postgres.url(), max: 4, name: 'bench' }, fail)
  const log = pino({ level: 'error' })
  const jobs = await openJobs(postgres.url(), log, { supervise: false })
  const app = {
    config: readConfig({ DATA_FOLDER: folder, LOG_LEVEL: 'error', PORT: '0' }),
    db: kyselyOver(pool),
    databaseUrl: postgres.url(),
    clock: systemClock,
    log,
    files: localFiles(folder),
    jobs,
    mail: null,
    mailbox: null,
    tts: espeakTts(),
    addresses: httpAddresses(),
    workLimits: new WorkLimits(),
  }
  const ears = await earsOn(app, pool)
  const api = await startApi(postgres.url(), folder)
  let missed = 0
  try {
    console.log(`\n${'ms'.padEnd(40)} questions    p50    p95    the slowest: p50, p95, pages`)
    for (const list of asked(listsOf(fixtures, { wholly: !smallest }))) {
      const headers = { authorization: `Bearer ${await tokenOf(app, list.viewer.userId)}` }
      missed += await measureList(list, { ears, address: api.address, pool, headers })
    }
  } finally {
    await api.stop()
    await ears.close()
    await jobs.stop({ graceful: false })
    await pool.end()
  }
  return missed
}

/** Those that the command line names, by whole words: 'lines' is no beginning of 'linesOfOthers.list'. */
function asked(lists: readonly List[]): readonly List[] {
  const groups = new Set(lists.map(({ name }) => name.split('.')[0]))
  for (const name of names)
    assert(
      lists.some((list) => isOf(list, name)),
      `no list is called ${name}; the groups are ${[...groups].join(', ')}`,
    )
  return names.length === 0 ? lists : lists.filter((list) => names.some((name) => isOf(list, name)))
}

function isOf(list: List, name: string): boolean {
  return list.name === name || [' ', '.'].some((end) => list.name.startsWith(`${name}${end}`))
}

type Means = { ears: Ears; address: string; pool: ReturnType<typeof openPool>; headers: Record<string, string> }
type Measured = { text: string; url: string; figures: number[]; p95: number }

/** Prints the list's line and answers how many of its questions missed the aim. */
async function measureList(list: List, means: Means): Promise<number> {
  const measured: Measured[] = []
  for (const question of [...list.questions, ...(await deepPages(list, means))]) {
    const figures = await timed(question.url, means)
    measured.push({ ...question, figures, p95: inPercentile(figures, 95) })
    if (showsEach) console.log(`  ${ms(figures, 50)}${ms(figures, 95)}  ${list.name}?${question.text}`)
  }
  const all = measured.flatMap(({ figures }) => figures)
  const missed = measured.filter(({ p95 }) => p95 > aimMs).toSorted((a, b) => b.p95 - a.p95)
  const slowest = measured.reduce((a, b) => (b.p95 > a.p95 ? b : a))
  const cost = await costOf(slowest.url, means)
  console.log(
    `${list.name.padEnd(40)}${String(measured.length).padStart(10)}${ms(all, 50)}${ms(all, 95)}   ${ms(slowest.figures, 50)}${ms(slowest.figures, 95)}${String(cost.pages).padStart(8)}  ${slowest.text}`,
  )
  for (const { text, url, figures } of smallest ? [] : missed) {
    console.log(`  !${ms(figures, 50)}${ms(figures, 95)}  ${text}`)
    for (const { pages, spentMs, said } of (await costOf(url, means)).statements)
      console.log(`     ${spentMs.toFixed(1).padStart(8)} ms ${String(pages).padStart(8)} pages  ${said}`)
  }
  return missed.length
}

function ms(figures: readonly number[], percent: number): string {
  return inPercentile(figures, percent).toFixed(1).padStart(7)
}

async function timed(url: string, means: Means): Promise<number[]> {
  const ask = async () => {
    const began = performance.now()
    const reply = await get(url, means)
    const text = await reply.text()
    assert(reply.ok, `${url}: ${text}`)
    return performance.now() - began
  }
  const figures = [await ask()]
  const most = () => (Math.max(...figures) > slowMs ? slowTimes : times)
  while (!isEnough(figures) && figures.length < most()) figures.push(await ask())
  return counted(figures)
}

function counted(figures: readonly number[]): number[] {
  return figures.length > 1 ? figures.slice(1) : [...figures]
}

function isEnough(figures: readonly number[]): boolean {
  if (smallest) return true
  const slowest = Math.max(...counted(figures))
  return enough.some(({ answers, ms }) => figures.length === answers && slowest <= ms)
}

/** Once more where the API had closed the connection: while a slow statement was explained nobody used it. */
async function get(url: string, { address, headers }: Means): Promise<Response> {
  const once = () => fetch(`${address}${url}`, { headers })
  return once().catch((error: unknown) => {
    const cause = error instanceof Error ? error.cause : null
    if (cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_SOCKET') return once()
    throw new Error(`${url}: the API does not answer`, { cause: error })
  })
}

/** The 1,000th page by cursor in each order, of lists that have one. */
async function deepPages(list: List, means: Means): Promise<{ text: string; url: string }[]> {
  if (smallest) return []
  const pages = await Promise.all(
    list.orders.map(async (order) => ({ order, after: await cursorOf(`${list.url}?${order}`, means) })),
  )
  return pages.flatMap(({ order, after }) =>
    after === null
      ? []
      : { text: `${order}, page ${nthPage}`, url: `${list.url}?pageSize=${pageSize}&${order}&after=${after}` },
  )
}

/** Of the 999th page; null: the list is shorter. */
async function cursorOf(url: string, means: Means): Promise<string | null> {
  let after = ''
  for (let rows = (nthPage - 1) * pageSize; rows > 0; rows -= 1000) {
    const asked = `&pageSize=${Math.min(1000, rows)}${after === '' ? '' : `&after=${after}`}`
    const reply = await get(`${url}${asked}`, means)
    await reply.arrayBuffer()
    const next = reply.headers.get('x-next-after')
    if (next === null) return null
    after = next
  }
  return after
}
