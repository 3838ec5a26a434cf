// @module-tag exhaustive
/**
 * A hostile customer does to a running server all that a valid account permits, while two other customers work. `npm run bench:tenants`
 * does it with full weight and prints what the others felt; `npm run test:all` checks only order and generous bounds.
 *
 * The attackers of 'one attacker after the other' work in a process of their own that gives way to all others (nice 19), since hostile customers have
 * machines of their own. `TENANTS=full ATTACK='one valid account; HEADs'` (beginnings of names) lets only those work, without what comes before.
 *
 * Where somebody comes last in a queue, the order of service counts, and for calls what the database says. 'Catches' names a defect that
 * each test was seen to detect. A `FairSemaphore` without turns fails for lists and for both queues of campaigns.
 */
import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import { refusedKeptMax } from '@ghanti/contract/refused.ts'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { streamsOfAccountMax, streamsOfSessionMax } from '@ghanti/server/http/events.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { attackApart } from './tenants/attacker-process.ts'
import { attackers, bytesBelow, memoryOf, type Statuses } from './tenants/attackers.ts'
import {
  attack,
  callsOfDay,
  callTooOften,
  cappedNumber,
  composeOfOneNumber,
  full,
  oneNumber,
  openStreams,
  small,
} from './tenants/attack.ts'
import { openDatabaseChecks, type DatabaseChecks } from './tenants/database-checks.ts'
import {
  callTen,
  compose,
  enter,
  isPrepared,
  numbers,
  pasted,
  until,
  work,
  type Answer,
  type Tenants,
} from './tenants/people.ts'
import { startProcesses, type Processes } from './tenants/processes.ts'
import { passLists, passPreparation, passSignIns, type Passed, type Prepared } from './tenants/turns.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 600_000 })

const sizes = process.env['TENANTS'] === 'full' ? full : small
/** Only attackers whose names begin so, and nothing before them. */
const only = process.env['ATTACK']?.split(';').map((name) => name.trim())
/** Far above what anybody should wait. */
const timeoutMs = 30_000
const rows = 100
/** Attackers and others share this process, so its own event loop may have caused what the others felt. */
const lateness = monitorEventLoopDelay()
let server: Processes
let checks: DatabaseChecks
let tenants: Tenants
let replies: Answer[]
let streams: Awaited<ReturnType<typeof openStreams>>
let meanwhile: Answer[] = []
let alone: Answer[] = []
/** How long ticks of the engine took, in milliseconds; only at full size. */
let ticks: number[] = []
let ticksAlone: number[]
let goesOn: number
let prepared: Prepared
let passed: Record<'lists' | 'signIns', Passed>
let toOneNumber: number[]
let waitTillTomorrow: number

beforeAll(async () => {
  server = await startProcesses(100, sizes === full ? (ms) => ticks.push(ms) : undefined)
  checks = await openDatabaseChecks(server.dataFolder)
  tenants = await enter(server.addresses)
  if (only !== undefined) return
  const { working } = tenants
  await workAlone()
  goesOn = await compose(working, 'Goes on', await pasted(working, numbers(rows, 0)))
  lateness.enable()
  const all = allOfIt()
  ;[meanwhile] = await Promise.all([work(tenants, all), all])
  lateness.disable()
}, 1_800_000)
afterAll(async () => {
  try {
    await checks.close()
  } finally {
    await server.stop()
  }
  if (sizes === full && only === undefined)
    console.log([...felt('alone', alone), ...felt('attacked', meanwhile), ...answered()].join('\n'))
})

async function workAlone(): Promise<void> {
  const until = sleep(sizes === full ? 20_000 : 1000)
  ticks = []
  alone = (await Promise.all([work(tenants, until), callTen(tenants.composing, until)])).flat()
  ticksAlone = ticks
}

async function allOfIt(): Promise<void> {
  const { hostile } = tenants
  const baseId = await step('pasted', pasted(hostile, oneNumber))
  toOneNumber = await step('one number by several campaigns', composeOfOneNumber(hostile, baseId, checks))
  prepared = await step('prepared', passPreparation(tenants, checks, sizes.rows))
  passed = {
    lists: await step('lists', passLists(tenants)),
    signIns: await step('sign-ins', passSignIns(tenants)),
  }
  streams = await step('streams', openStreams(tenants, sizes.streams))
  replies = await step('flood', attack(tenants, baseId, sizes))
  for (const id of toOneNumber) await step(`campaign ${id}`, until(hostile, id, isComplete, 120_000))
  waitTillTomorrow = await step('a number too often', callTooOften(tenants, prepared.large[0] ?? 0))
}

/** Names what failed; at full size it says how long it took. */
async function step<Result>(what: string, done: Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await done.catch((error: unknown) => {
    throw new Error(`${what}: failed after ${Math.round(performance.now() - began)} ms`, { cause: error })
  })
  if (sizes === full) console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return result
}

const isComplete = ({ campaignStatus }: { campaignStatus: number }) => campaignStatus === campaignStatusCode.complete

function felt(when: string, answers: readonly Answer[]): string[] {
  return ['login', 'list'].map((what) => {
    const ms = answers.filter((one) => one.what === what).map((one) => one.ms)
    const sorted = ms.toSorted((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0)
    return `${what}, ${when}: median ${at(0.5)} ms, slowest ${at(1)} ms of ${sorted.length}`
  })
}

function answered(): string[] {
  const kinds = [...Map.groupBy(replies, ({ what }) => what)].map(([what, of]) => {
    const byStatus = [...Map.groupBy(of, ({ status }) => status)].map(([status, all]) => `${all.length} × ${status}`)
    return `${what}: ${byStatus.join(', ')}`
  })
  const inLine = Object.entries(passed).map(
    ([what, { stood, before }]) => `${what}: ${before} of ${stood} in line were served before who came last`,
  )
  return [
    `the event loop of those who ask was late by ${(lateness.max / 1e6).toFixed(0)} ms at most`,
    ...inLine,
    ...kinds,
  ]
}

const statuses = (what: string) => new Set(replies.filter((one) => one.what === what).map(({ status }) => status))

describe.skipIf(only !== undefined)('all at once', () => {
  test('the others can sign in and read their lists throughout', () => {
    expect(meanwhile.filter(({ status }) => status !== 200)).toEqual([])
    expect(meanwhile.filter(({ ms }) => ms > timeoutMs)).toEqual([])
  })

  // Catches: lists without turns between accounts.
  test('another account’s list is read before half of the sixty that one account keeps queued', () => {
    expect(passed.lists.status).toBe(200)
    expect(passed.lists.before).toBeLessThan(passed.lists.stood / 2)
  })

  // Catches: one lane for sign-ins and new passwords.
  test('a password is set before half of fifty sign-ins from everywhere are done', () => {
    expect(passed.signIns.status).toBe(200)
    expect(passed.signIns.before).toBeLessThan(passed.signIns.stood / 2)
  })

  // Catches: preparation that keeps its turn until a campaign is done (`rest` that does nothing).
  test('ten rows of another account are prepared before a large campaign that had its turn earlier', () => {
    expect(prepared.leftAtTen).toContain(prepared.large[0])
  })

  // Catches: preparation first come, first served.
  test('ten rows of another account are prepared before most of the campaigns that one account has queued', () => {
    const left = prepared.middle.filter((id) => prepared.leftAtTen.includes(id))
    expect(left.length).toBeGreaterThan(prepared.middle.length / 2)
  })

  // Catches: several large campaigns of one account started at once, which take all places.
  test('another account’s long file is prepared while earlier campaigns of one account are still queued', () => {
    expect(prepared.middle.filter((id) => prepared.leftAtLong.includes(id))).not.toEqual([])
  })

  // Catches: refused lines kept without limit.
  test('the large campaigns are prepared in the end; a limited number of their refused lines is kept, once for the file', async () => {
    for (const id of prepared.large) await until(tenants.hostile, id, isPrepared, 240_000)
    expect(await checks.refusedLines(prepared.large)).toEqual({ ofFiles: refusedKeptMax, ofCampaigns: 0 })
  })

  test('requests beyond a limit are refused with the time to wait, never with a server error', () => {
    expect(replies.filter(({ status }) => status >= 500)).toEqual([])
    for (const what of ['resets', 'uploads', 'pastes', 'exports', 'several']) expect(statuses(what)).toContain(429)
    expect(replies.filter(({ status, retryAfter }) => status === 429 && !retryAfter)).toEqual([])
  })

  test('files and numbers for the blacklist are stored by turns, and further requests are asked to retry', () => {
    expect([...statuses('blacklist numbers')].toSorted()).toEqual([200, 429])
    // At full size the files hold more numbers than the account's quota.
    expect([...statuses('blacklist files')].toSorted()).toEqual(sizes === full ? [200, 409, 429] : [200, 429])
  })

  // Catches: event streams without limits per session or account.
  test('ten event streams of one session stay open at an API, and thirty of one account', () => {
    expect(streams).toEqual({ ofSession: streamsOfSessionMax, ofAccount: streamsOfAccountMax })
  })

  test('every row of the others’ campaign is called and final', async () => {
    await until(tenants.working, goesOn, isComplete, 120_000)
  })

  // Catches: a claim that does not check whether the number is in a call.
  test('the number of several campaigns is called by each, one call at a time', async () => {
    expect(await checks.callsTo(oneNumber)).toEqual({ calls: toOneNumber.length, atOnce: 1 })
    expect(await checks.numbersAtFault()).toEqual({ number_twice_at_once: 0, numbers_wrong: 0 })
  })

  // Catches: a claim that does not count the number's calls today.
  test('a number that had today’s calls is not called again, and the campaign says that a row waits', async () => {
    expect(await checks.callsTo(cappedNumber)).toEqual({ calls: callsOfDay, atOnce: 1 })
    expect(waitTillTomorrow).toBe(1)
  })
})

/** How long each attacker works; at full size a minute, unless the run has less time. */
const attackMs = sizes === full ? 1000 * Number(process.env['TENANTS_SECONDS'] ?? 60) : 1500
/** What one of them may add: far above what quotas and limits a minute leave, far below what was possible without them. */
const tablesMax = 100_000_000
const filesMax = 100_000_000
const memoryMax = 1_000_000_000
const refusals = new Set([400, 404, 405, 409, 413, 429])

function p95(ms: readonly number[]): number {
  const sorted = ms.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 0)
}

const msOf = (answers: readonly Answer[], what: string) =>
  answers.filter((one) => one.what === what).map(({ ms }) => ms)
const besides = (what: string, now: readonly number[], before: readonly number[]) =>
  `${what} p95 ${p95(now)} ms (${p95(before)} alone)`

function memoryOfAll(): number | null {
  const each = server.pids.map(memoryOf)
  return each.includes(null) ? null : each.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
}

const answeredBy = (statuses: Statuses) => [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')

describe('one attacker after the other', () => {
  // Once more: minutes ago nothing was warm, and others may have used the machine.
  beforeAll(workAlone)

  // Catches: a file, a body or a search that ends the process, fills the disk or the tables, or keeps others waiting.
  test.each(attackers.filter(({ name }) => only?.some((begins) => name.startsWith(begins)) ?? true))(
    'while somebody repeats $name, others work as before, and nothing ends or grows',
    async ({ name }) => {
      const before = {
        tables: await checks.size(),
        files: bytesBelow(`${server.dataFolder}/files`),
        memory: memoryOfAll(),
      }
      const over = new AbortController()
      let statuses: Statuses = new Map()
      const attacking = attackApart(name, tenants, over.signal).then((answered) => (statuses = answered))
      const until = sleep(attackMs)
      ticks = []
      const felt = (await Promise.all([work(tenants, until), callTen(tenants.composing, until)])).flat()
      over.abort()
      await attacking
      expect(server.haveEnded()).toBe(false)
      expect(felt.filter(({ status }) => status !== 200)).toEqual([])
      const faults = [...statuses.keys()].filter((status) => status >= 300 && !refusals.has(status))
      expect(faults, answeredBy(statuses)).toEqual([])
      const memory = memoryOfAll()
      expect((await checks.size()) - before.tables).toBeLessThan(tablesMax)
      expect(bytesBelow(`${server.dataFolder}/files`) - before.files).toBeLessThan(filesMax)
      if (memory !== null && before.memory !== null) expect(memory - before.memory).toBeLessThan(memoryMax)
      if (sizes !== full) return
      const times = ['login', 'list', 'compose', 'ten calls'].map((what) =>
        besides(what, msOf(felt, what), msOf(alone, what)),
      )
      times.push(besides('ticks', ticks, ticksAlone))
      console.log(`attacked by ${name}: ${times.join(', ')}; answered ${answeredBy(statuses)}`)
    },
  )
})
