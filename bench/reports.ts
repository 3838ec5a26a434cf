/**
 * How fast the report, insight, the dashboards and a customer's page answer over HTTP: `npm run bench:reports [-- [size] [kinds]]`. Size 1 is ten
 * million calls of ten thousand accounts. The busiest user, a reseller with a thousand customers and a super admin send requests to an API in its
 * own process. The rows are kept for the day (lists/cached-database.ts).
 * - Aims at the 95th percentile: first page, search for a number, and filtered page 100 ms each; calls of one customer 150 ms; insight of a month
 * beside the month before 200 ms; a dashboard 100 ms; a customer's page 150 ms. At size 1 a miss fails the run.
 * - Named kinds, such as `filtered 'first page'`, are requested alone.
 */
import assert from 'node:assert/strict'
import * as os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@ghanti/server/clock.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import type { Viewer } from '@ghanti/server/policy.ts'
import { tokenOf } from '@ghanti/server/testing/seed.ts'
import { fail, load, nameArguments, sizeOf, sizeArguments, smallest, startApi } from './bench.ts'
import { openFixtures, type Opened } from './lists/cached-database.ts'
import { inPercentile } from './lists/statements.ts'
import { makeFixtures, type Fixtures } from './reports/fixtures.ts'

const size = sizeOf(1, 0.0005, sizeArguments)
assert(size > 0 && size <= 1, 'the size is above 0 and at most 1')
const sizes = { accounts: Math.max(20, Math.ceil(10_000 * size)), attempts: Math.ceil(10_000_000 * size) }
const times = smallest ? 2 : 40
/** The first answers are slow, because pages are still on the disk and statements unplanned. */
const unmeasured = smallest ? 0 : 3
const aims = {
  'first page': 100,
  number: 100,
  filtered: 100,
  customer: 150,
  insight: 200,
  dashboard: 100,
  'customer page': 150,
  'deep page': Infinity,
} as const
type Kind = keyof typeof aims
for (const kind of nameArguments)
  assert(kind in aims, `no kind is called ${kind}; there are ${Object.keys(aims).join(', ')}`)
/** `restMs`: how long an answer is cached for others; the request is repeated only after that. */
type Question = { kind: Kind; viewer: Viewer; of?: number; query: string; restMs?: number }

function questionsOfPages({ boss, reseller, busy, quietId }: Fixtures): Question[] {
  const dashboard = (viewer: Viewer, overview: string, restMs: number): Question[] => [
    { kind: 'dashboard', viewer, query: `dashboard/${viewer.userId}` },
    { kind: 'dashboard', viewer, query: `overview/${overview}`, restMs },
  ]
  return [
    ...dashboard(busy, 'own', 0),
    ...dashboard(reseller, 'reseller', 2100),
    ...dashboard(boss, 'platform', 1100),
    ...[reseller, boss].flatMap((viewer) =>
      [busy.userId, quietId].map((id): Question => ({ kind: 'customer page', viewer, query: `customer/${id}` })),
    ),
    { kind: 'customer page', viewer: boss, query: `customer/${reseller.userId}` },
  ]
}

/** The last thirty days, compared with the thirty before. */
function questionsOfInsight({ boss, reseller, busy, campaignId, trunkId }: Fixtures): Question[] {
  const grains = ['by=hour', 'by=day', 'by=weekday']
  const dimensions = ['customer', 'campaign', 'operator', 'cli', 'template', 'agent'].map((of) => `of=${of}`)
  const combined = ['operator=ncell&of=template&by=day', 'operator=ncell,ntc&template=1&by=hour']
  const ofBoss = ['of=trunk', `trunkId=${trunkId}&of=operator&by=weekday`]
  const asked = (viewer: Viewer, queries: readonly string[], of?: Viewer): Question[] =>
    queries.map((query) => ({
      kind: 'insight',
      viewer,
      query: `started=last30&${query}`,
      ...(of && { of: of.userId }),
    }))
  return [
    ...[busy, reseller, boss].flatMap((viewer) => asked(viewer, [...grains, ...dimensions, ...combined])),
    ...asked(busy, [`campaignId=${campaignId}&by=day`]),
    ...asked(boss, ofBoss),
    ...asked(boss, ['by=hour', 'of=campaign'], reseller),
    ...asked(reseller, ['by=hour', 'of=campaign'], busy),
  ]
}

function questionsOf({ boss, reseller, busy, quietId, campaignId, agent, mobile }: Fixtures): Question[] {
  const day = (back: number) => new Date(Date.now() - back * 24 * 3600_000).toISOString().slice(0, 10)
  const filters = [
    'disposition=ANSWER',
    'disposition=BUSY,LOST',
    'disposition=LOST',
    'key=2',
    'minSeconds=30',
    'operator=ncell',
    'started=today',
    'started=last30',
    `started=${day(40)}..${day(40)}&disposition=LOST`,
    'kind=callNow',
    `agentNo=${encodeURIComponent(agent)}`,
    `agentNo=${encodeURIComponent(agent)}&key=9`,
  ]
  const ofCampaign = [`campaignId=${campaignId}`, `campaignId=${campaignId}&disposition=LOST`]
  const searched = [`search=${mobile}`, `search=${mobile.slice(-4)}`, 'search=9811111111']
  const asked = [busy, reseller, boss].flatMap((viewer): Question[] => [
    ...['', 'order=asc'].map((query) => ({ kind: 'first page' as const, viewer, query })),
    ...[...searched, `search=${mobile}&disposition=ANSWER`].map((query) => ({
      kind: 'number' as const,
      viewer,
      query,
    })),
    ...[...filters, ...ofCampaign].map((query) => ({ kind: 'filtered' as const, viewer, query })),
    { kind: 'deep page', viewer, query: 'page=400' },
    { kind: 'deep page', viewer, query: 'page=400&disposition=ANSWER' },
  ])
  const ofCustomers = [reseller, boss].flatMap((viewer): Question[] => [
    ...[quietId, busy.userId, reseller.userId].map((id) => {
      return { kind: 'customer' as const, viewer, query: `customer=${id}` }
    }),
    { kind: 'customer', viewer, of: quietId, query: '' },
    { kind: 'customer', viewer, of: quietId, query: 'disposition=LOST' },
  ])
  return [...asked, ...ofCustomers]
}

const opened = await openFixtures({
  name: 'reports',
  sizes,
  sources: ['reports/fixtures.ts'],
  make: makeFixtures,
  keep: !smallest,
})
try {
  console.log(`${os.availableParallelism()} cores, load before ${load()}`)
  const missed = await measure(opened)
  console.log(`load after ${load()}`)
  console.log(
    missed === 0 ? 'every question is within its aim' : `every question was asked, ${missed} took longer than they may`,
  )
  if (missed > 0 && size === 1) process.exitCode = 1
} finally {
  await opened.close()
}

async function measure({ postgres, folder, fixtures }: Opened<Fixtures>): Promise<number> {
  const pool = openPool({ connectionString: postgres.url(), max: 1, name: 'bench' }, fail)
  const api = await startApi(postgres.url(), folder)
  const figures = new Map<Kind, number[]>()
  let missed = 0
  try {
    const every = [...questionsOf(fixtures), ...questionsOfInsight(fixtures), ...questionsOfPages(fixtures)]
    for (const question of every.filter(({ kind }) => nameArguments.length === 0 || nameArguments.includes(kind))) {
      const { kind, viewer, of = viewer.userId, query, restMs = 0 } = question
      const token = await tokenOf({ db: kyselyOver(pool), clock: systemClock }, viewer.userId)
      const url = `${api.address}/api/obd/${pathOf({ kind, query }, of)}`
      const took = await timed(url, { authorization: `Bearer ${token}` }, smallest ? 0 : restMs)
      figures.set(kind, [...(figures.get(kind) ?? []), ...took])
      const p95 = inPercentile(took, 95)
      if (p95 > aims[kind]) missed += 1
      console.log(
        `${p95 > aims[kind] ? '!' : ' '}${ms(inPercentile(took, 50))}${ms(p95)}  ${kind}, ${viewer.role}: ${query}${of === viewer.userId ? '' : ' (by the path)'}`,
      )
    }
  } finally {
    await api.stop()
    await pool.end()
  }
  console.log(`\n${'ms'.padEnd(14)}    p50    p95   aim`)
  for (const [kind, took] of figures)
    console.log(
      `${kind.padEnd(14)}${ms(inPercentile(took, 50))}${ms(inPercentile(took, 95))}  ${Number.isFinite(aims[kind]) ? aims[kind] : '–'}`,
    )
  return missed
}

function pathOf({ kind, query }: Pick<Question, 'kind' | 'query'>, of: number): string {
  if (kind === 'dashboard' || kind === 'customer page') return query
  if (kind === 'insight') return `insight/${of}?${query}`
  return `campaign/report/${of}?pageSize=25&${query.includes('page=') ? '' : 'page=1&'}${query}`
}

function ms(figure: number): string {
  return figure.toFixed(1).padStart(8)
}

async function timed(url: string, headers: Record<string, string>, restMs: number): Promise<number[]> {
  const figures: number[] = []
  for (let n = 0; n < times + unmeasured; n++) {
    const began = performance.now()
    const reply = await fetch(url, { headers })
    const text = await reply.text()
    assert(reply.ok, `${url}: ${text}`)
    if (n >= unmeasured) figures.push(performance.now() - began)
    if (restMs > 0) await sleep(restMs)
  }
  return figures
}
