/**
 * A hostile customer does to a running server all that one can do with a valid account; two other customers work meanwhile. `npm run bench:tenants`
 * does it with full weight and prints what the others felt; `npm test` looks at order and at generous bounds alone.
 */
import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { streamsOfSessionMax } from '@ghanti/server/http/events.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startServer, type Server } from '../web/e2e/server.ts'
import {
  attack,
  compose,
  enter,
  isPrepared,
  numbers,
  pasted,
  small,
  full,
  until,
  watchOneNumber,
  work,
  type Answer,
  type Tenants,
} from './tenants-attack.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const sizes = process.env['TENANTS'] === 'full' ? full : small
/** Far above what anybody should wait, and far below what waiting for the attack to end would take. */
const patienceMs = 15_000
const rows = 100
/** Attackers and others share this process: what they felt was at least partly its own, where its event loop was late. */
const lateness = monitorEventLoopDelay()
let server: Server
let tenants: Tenants
let told: Answer[]
let streamsOpen: number
let meanwhile: Answer[]
let behind: Answer[]
let goesOn: number
let toOneNumber: Awaited<ReturnType<typeof watchOneNumber>>
let alone: Answer[]
let tenRowsMs: number
let tenRowsAfter: number
let attackOver: number

beforeAll(async () => {
  server = await startServer(100)
  tenants = await enter(server.address)
  const { working, composing } = tenants
  alone = await work(tenants, sleep(sizes === full ? 10_000 : 1000))
  goesOn = await compose(working, 'Goes on', await pasted(working, numbers(rows, 0)))
  lateness.enable()
  const attacked = attack(tenants, sizes).finally(() => (attackOver = performance.now()))
  const others = work(tenants, attacked)
  const watching = watchOneNumber(tenants, attacked)
  const began = performance.now()
  const ten = await compose(composing, 'Ten rows', await pasted(composing, numbers(10, 5000)))
  await until(composing, ten, isPrepared, patienceMs)
  tenRowsAfter = performance.now()
  tenRowsMs = tenRowsAfter - began
  const [outcome, seen, watched] = await Promise.all([attacked, others, watching])
  lateness.disable()
  toOneNumber = watched
  told = outcome.told
  streamsOpen = outcome.streamsOpen
  behind = outcome.behind
  meanwhile = seen
})
afterAll(async () => {
  await server.stop()
  if (sizes === full) console.log([...felt('alone', alone), ...felt('attacked', meanwhile), ...answered()].join('\n'))
})

function felt(when: string, answers: readonly Answer[]): string[] {
  return ['login', 'list'].map((what) => {
    const ms = answers.filter((one) => one.what === what).map((one) => one.ms)
    const sorted = ms.toSorted((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0)
    return `${what}, ${when}: median ${at(0.5)} ms, slowest ${at(1)} ms of ${sorted.length}`
  })
}

function answered(): string[] {
  const kinds = [...Map.groupBy(told, ({ what }) => what)].map(([what, of]) => {
    const byStatus = [...Map.groupBy(of, ({ status }) => status)].map(([status, all]) => `${all.length} × ${status}`)
    return `${what}: ${byStatus.join(', ')}`
  })
  return [
    `ten rows of another customer, from pasting to prepared: ${tenRowsMs.toFixed(0)} ms`,
    `the event loop of those who ask was late by ${(lateness.max / 1e6).toFixed(0)} ms at most`,
    ...kinds,
  ]
}

const statuses = (what: string) => new Set(told.filter((one) => one.what === what).map(({ status }) => status))

test('the others sign in and see their lists all the while', () => {
  expect(meanwhile.filter(({ status }) => status !== 200)).toEqual([])
  expect(meanwhile.filter(({ ms }) => ms > patienceMs)).toEqual([])
})

test('a sign-in and a list of others, sent after all that the attack sends at once, are answered before that is', () => {
  const lastOf = (what: string) => Math.max(...told.filter((one) => one.what === what).map(({ endedAt }) => endedAt))
  expect(behind.map(({ what, status }) => [what, status])).toEqual([
    ['login', 200],
    ['list', 200],
  ])
  const attackEndedAt = Math.max(lastOf('lists'), lastOf('blacklist files'))
  for (const { what, endedAt } of behind) expect(endedAt, what).toBeLessThan(attackEndedAt)
})

test('ten rows of another customer are accepted and prepared before the large campaigns of the attack', () => {
  expect(tenRowsAfter).toBeLessThan(attackOver)
})

test('whoever asks for too much at once is told so, with the time to wait, and never that the server failed', () => {
  expect(told.filter(({ status }) => status >= 500)).toEqual([])
  for (const what of ['resets', 'uploads', 'pastes', 'exports', 'several']) expect(statuses(what)).toContain(429)
  expect(told.filter(({ status, retryAfter }) => status === 429 && !retryAfter)).toEqual([])
})

test('files and numbers for the blacklist are stored by turns, and the rest is told to come again', () => {
  for (const what of ['blacklist files', 'blacklist numbers'])
    expect([what, ...statuses(what)].toSorted()).toEqual([200, 429, what])
})

test('of the event streams of one session ten are left', () => {
  expect(streamsOpen).toBe(streamsOfSessionMax)
})

test('every row of the others’ campaign is called and final', async () => {
  const { working } = tenants
  await until(working, goesOn, ({ campaignStatus }) => campaignStatus === campaignStatusCode.complete, 120_000)
})

test('the number of fifteen campaigns is called, and takes one call at a time', () => {
  expect(toOneNumber.attempts).toBeGreaterThan(1)
  // The campaigns are asked one after the other: the call that ends and the one after it may both be seen. It was ten before.
  expect(toOneNumber.atOnce).toBeLessThanOrEqual(2)
})
