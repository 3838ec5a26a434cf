// @module-tag exhaustive
/**
 * Limits of an account where engine, workers and two APIs are processes of their own, as in production: whoever sends every second request to the
 * other API gets no more than over one. What is counted in each API, by docs/security.md twice as much, stays within that.
 */
import { demoPassword } from '@ghanti/contract/auth.ts'
import { creditRoutes } from '@ghanti/contract/credits.ts'
import { noticeRoutes } from '@ghanti/contract/notices.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { workLimits } from '@ghanti/server/modules/limits/rules.ts'
import { signInOver, type Caller } from '@ghanti/server/testing/wire.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openDatabaseChecks, type DatabaseChecks } from './tenants/database-checks.ts'
import { networkOf, signInFrom } from './tenants/people.ts'
import { nth, overAll, startProcesses, type Processes } from './tenants/processes.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 600_000 })

let server: Processes
let checks: DatabaseChecks
let client: Caller
let other: Caller
beforeAll(async () => {
  server = await startProcesses(100)
  checks = await openDatabaseChecks(server.dataFolder)
  const enters = async (username: string): Promise<Caller> =>
    overAll(server.addresses, await signInOver(server.addresses[0], username, demoPassword))
  client = await enters('client')
  other = await enters('user')
})
afterAll(async () => {
  await checks.close()
  await server.stop()
})

const counted = (statuses: readonly number[]): Record<number, number> =>
  Object.fromEntries([...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]))

/** `count` requests, ten at once, each to the other API than the one before. */
async function statusesOf(count: number, ask: (n: number) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = []
  let asked = 0
  const one = async (): Promise<void> => {
    while (asked < count) {
      const reply = await ask(asked++)
      await reply.arrayBuffer()
      statuses.push(reply.status)
    }
  }
  await Promise.all(Array.from({ length: 10 }, one))
  return statuses
}

test('changes of a minute end at the limit of one API, and those of others go on', async () => {
  const { perMinute } = workLimits.writes
  const statuses = await statusesOf(perMinute + 40, () => client.send(noticeRoutes.readAll))
  expect(counted(statuses)).toEqual({ 200: perMinute, 429: 40 })
  expect((await other.send(noticeRoutes.readAll)).status).toBe(200)
})

test('changes of a day end at both APIs', async () => {
  await checks.useUp(`writes of ${other.userId} a day`, workLimits.writes.perDay)
  expect(counted(await statusesOf(4, () => other.send(noticeRoutes.readAll)))).toEqual({ 429: 4 })
})

test('wrong passwords are as few as at one API: nine in a row, then each waits', async () => {
  const statuses: number[] = []
  const guess = { username: 'reseller', password: 'wrong-guess' }
  for (let n = 0; n < 14; n += 1)
    statuses.push((await signInFrom(nth(server.addresses, n), networkOf(5, 1), guess)).status)
  expect(counted(statuses)[401]).toBeLessThanOrEqual(10)
  expect(statuses.slice(10)).toEqual([429, 429, 429, 429])
  const right = { username: 'reseller', password: demoPassword }
  expect((await signInFrom(server.addresses[1], networkOf(6, 1), right)).status, 'from elsewhere').toBe(200)
})

test('exports at once are at most those of each API', async () => {
  const perApi = workLimits.exports.atOnce
  const admin = await signInOver(server.addresses[0], 'superadmin', demoPassword)
  const slow = Array.from({ length: 12 }, () => overAll(server.addresses, admin))
  const replies = await Promise.all(
    slow.map((caller) => caller.send(creditRoutes.historyCsv, { userId: admin.userId })),
  )
  const taken = replies.filter(({ status }) => status === 200).length
  await Promise.all(replies.map((reply) => reply.arrayBuffer()))
  expect(taken).toBeLessThanOrEqual(2 * perApi)
})

test('a hundred and fifty dashboards at once, over both APIs, keep nobody else waiting for a second', async () => {
  const admin = await signInOver(server.addresses[1], 'superadmin', demoPassword)
  const flood = Promise.all(
    Array.from({ length: 150 }, async () => {
      const reply = await client.send(userRoutes.dashboard, { userId: client.userId })
      await reply.arrayBuffer()
      return reply.status
    }),
  )
  const began = performance.now()
  expect((await admin.send(userRoutes.profile, { userId: admin.userId })).status).toBe(200)
  expect(performance.now() - began).toBeLessThan(1000)
  expect([...new Set(await flood)]).toEqual([200])
})
