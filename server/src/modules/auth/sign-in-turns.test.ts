import * as nodeHttp from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { testHttp } from '../../testing/http.ts'
import { newUser, seededPassword } from '../../testing/seed.ts'

const app = await testApp({ trustProxy: ['127.0.0.1'] })
let port = 0
let hostile: Viewer
beforeAll(async () => {
  const http = await testHttp(app)
  await http.listen({ host: '127.0.0.1', port: 0 })
  port = (http.server.address() as AddressInfo).port
  hostile = await newUser(app)
})
beforeEach(async () => {
  await app.db.deleteFrom('rate_limit').execute()
})

type From = { ip: string; device?: string; password?: string }

function signIn(username: string, { ip, device, password = seededPassword }: From) {
  return new Promise<{ status: number; device: string }>((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': ip,
      ...(device && { cookie: `device=${device}` }),
    }
    nodeHttp
      .request({ host: '127.0.0.1', port, path: '/api/obd/login', method: 'POST', headers, agent: false }, (reply) => {
        const cookies = (reply.headers['set-cookie'] ?? []).join()
        const given = /device=([^;]*)/.exec(cookies)?.[1] ?? ''
        reply.resume().on('end', () => resolve({ status: reply.statusCode ?? 0, device: given }))
      })
      .on('error', reject)
      .end(JSON.stringify({ username, password }))
  })
}

/** So many connections that sign in again as soon as they are answered, until `during` is done. Counts how often they were let in. */
async function whileFlooded(
  flooders: readonly (() => Promise<{ status: number }>)[],
  during: (turns: () => number) => Promise<void>,
) {
  let turns = 0
  const end = new AbortController()
  const statuses = new Set<number>()
  const flood = Promise.all(
    flooders.map(async (again) => {
      while (!end.signal.aborted) {
        const { status } = await again()
        statuses.add(status)
        if (status !== 503) turns += 1
        else await new Promise((resolve) => setTimeout(resolve, 200))
      }
    }),
  )
  await expect.poll(() => turns, { timeout: 30_000 }).toBeGreaterThan(5)
  await during(() => turns).finally(() => end.abort())
  await flood
  return [...statuses]
}

/** The flood always has a hundred or more waiting. A few turns pass before a request even arrives, since all share one event loop. */
const turnsMax = 50

/** Fails unless each of them signs in while the flood has few turns. */
async function inFewTurns(turns: () => number, all: readonly (() => Promise<{ status: number }>)[]) {
  for (const one of all) {
    const before = turns()
    expect((await one()).status).toBe(200)
    expect(turns() - before).toBeLessThan(turnsMax)
  }
}

// limits/limits.test.ts has the turns of passwords of one account.
test(
  'one valid account that signs in over 200 connections at once keeps nobody else’s sign-in waiting for more than a few of its turns',
  { tags: ['exhaustive'], timeout: 120_000 },
  async () => {
    const [known, stranger, neighbour] = [await newUser(app), await newUser(app), await newUser(app)]
    const { device } = await signIn(known.username, { ip: '198.51.100.1' })
    const ip = '203.0.113.9'
    const statuses = await whileFlooded(
      Array.from({ length: 200 }, () => () => signIn(hostile.username, { ip })),
      (turns) =>
        inFewTurns(turns, [
          () => signIn(stranger.username, { ip: '192.0.2.1' }),
          () => signIn(known.username, { ip: '192.0.2.2', device }),
          () => signIn(neighbour.username, { ip }),
        ]),
    )
    expect(statuses.sort()).toEqual([200, 503])
  },
)

// The same turns by another key, which throttle.test.ts has.
test(
  'neither does one that signs in from 120 networks of one neighbourhood, with any names',
  { timeout: 120_000, tags: ['exhaustive'] },
  async () => {
    const [known, stranger] = [await newUser(app), await newUser(app)]
    const { device } = await signIn(known.username, { ip: '198.51.100.1' })
    await whileFlooded(
      Array.from({ length: 120 }, (_, n) => () => signIn(`nobody ${n}`, { ip: `2001:db8:7:${n.toString(16)}::1` })),
      (turns) =>
        inFewTurns(turns, [
          () => signIn(stranger.username, { ip: '2001:db8:8::1' }),
          () => signIn(known.username, { ip: '2001:db8:7:9::2', device }),
        ]),
    )
  },
)

test('strangers who guess a name from 120 neighbourhoods hold up no browser that its owner used before', async () => {
  const owner = await newUser(app)
  const { device } = await signIn(owner.username, { ip: '198.51.100.1' })
  await whileFlooded(
    Array.from({ length: 300 }, (_, n) => () => signIn(owner.username, { ip: `10.0.${n}.1`, password: 'wrong' })),
    (turns) =>
      inFewTurns(
        turns,
        Array.from({ length: 5 }, () => () => signIn(owner.username, { ip: '192.0.2.9', device })),
      ),
  )
}, 120_000)
