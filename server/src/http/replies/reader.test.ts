import { randomUUID } from 'node:crypto'
import * as http from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { routes, type RouteKey } from '@ghanti/contract/routes.ts'
import type { Route } from '@ghanti/contract/route.ts'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WorkLimits } from '../../modules/limits/actions.ts'
import { workLimits, type WorkKind, type WorkLimit } from '../../modules/limits/rules.ts'
import { policy, type Viewer } from '../../policy.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSuperAdmin, newUser } from '../../testing/seed.ts'
import type { PartialHandlers } from '../mount.ts'
import type { FileReply } from '../types.ts'
import { readerStalledMs } from './reader.ts'

/** Only the limit of downloads is the real one: files that count as exports too have a lower one. */
const plenty = Object.fromEntries(
  Object.entries<WorkLimit>(workLimits).map(([kind, limit]) => [kind, { ...limit, atOnce: 1000, perMinute: 100_000 }]),
) as Record<WorkKind, WorkLimit>
const { atOnce } = workLimits.downloads
const app: TestApp = {
  ...(await testApp()),
  workLimits: new WorkLimits({ ...plenty, downloads: { ...plenty.downloads, atOnce } }),
}

const fileRoutes = Object.entries(routes).flatMap(([area, ofArea]) =>
  Object.entries(ofArea).flatMap(([name, route]: [string, Route]) =>
    route.kind === 'file' && policy[`${area}.${name}` as RouteKey] !== 'public'
      ? [{ area, name, route, key: `${area}.${name}` as RouteKey }]
      : [],
  ),
)

/** What every file route answers. */
let answer: () => FileReply
let address: string
beforeAll(async () => {
  const handlers: Record<string, Record<string, unknown>> = {}
  for (const { area, name } of fileRoutes) handlers[area] = { ...handlers[area], [name]: async () => answer() }
  const server = await testHttp(app, { handlers: handlers as PartialHandlers })
  await server.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
})
let viewer: Viewer
let headers: { authorization: string }
beforeEach(async () => {
  viewer = await newSuperAdmin(app)
  headers = await signedIn(app, viewer)
})

const ofLines = (stream: () => AsyncGenerator<string>) => (): FileReply => ({
  type: 'text/csv',
  fileName: 'lines.csv',
  body: { stream: Readable.from(stream(), { objectMode: false }) },
})
/** More than the buffers between server and reader hold. */
const endless = ofLines(async function* () {
  for (;;) {
    made += 1
    yield 'x'.repeat(65_536)
  }
})
let made = 0
/** Until nothing more is made for readers who do not read. */
async function buffersFull(): Promise<void> {
  for (let before = -1; made !== before;) {
    before = made
    await sleep(1500)
  }
}
const path = '/api/obd/user/1/users.csv'

/** Opens a download and reads none of it until `resume`. */
async function open(url = path): Promise<{ status: number; response: http.IncomingMessage }> {
  const request = http.get(`${address}${url}`, { headers, agent: false })
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  response.on('error', () => {})
  onTestFinished(() => void request.destroy())
  return { status: response.statusCode ?? 0, response }
}
const isCut = async (response: http.IncomingMessage): Promise<boolean> =>
  response.toArray().then(
    () => false,
    () => true,
  )
const disable = ({ userId }: Viewer) =>
  app.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', userId).execute()
const signOut = ({ userId }: Viewer) => app.db.deleteFrom('session').where('user_id', '=', userId).execute()
/** Of one more download, which ends at once. */
async function oneMore(): Promise<number> {
  const { status, response } = await open()
  response.destroy()
  return status
}

describe('a download ends with the session', () => {
  test.each([
    { what: 'when the account is disabled', end: disable },
    { what: 'when somebody signs out', end: signOut },
  ])('$what, also while nobody reads', async ({ end }) => {
    let closed = false
    answer = () => {
      const reply = endless()
      if ('stream' in reply.body) reply.body.stream.once('close', () => (closed = true))
      return reply
    }
    const { status, response } = await open()
    expect(status).toBe(200)
    await sleep(1500)
    expect(closed).toBe(false)
    await end(viewer)
    await expect.poll(() => closed, { timeout: 10_000 }).toBe(true)
    expect(await isCut(response)).toBe(true)
  })

  test('a stored file is cut too', async () => {
    const hash = await app.files.putBytes(Buffer.alloc(40_000_000, 'x'))
    answer = () => ({ type: 'text/csv', fileName: 'a.csv', body: { hash } })
    const { response } = await open()
    await signOut(viewer)
    await sleep(4000)
    expect(await isCut(response)).toBe(true)
  })

  test('one whose reader stays is whole', async () => {
    answer = ofLines(async function* () {
      for (let line = 0; line < 25; line++) {
        yield `line ${line}\r\n`
        await sleep(100)
      }
    })
    const reply = await fetch(`${address}${path}`, { headers })
    expect((await reply.text()).trim().split('\r\n')).toHaveLength(25)
  })
})

describe('a reader', () => {
  let passed = 0
  const real = performance.now.bind(performance)
  beforeAll(() => {
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + passed)
    return () => clock.mockRestore()
  })

  test('who takes nothing for a minute is disconnected, and makes place for another download', async () => {
    let closed = 0
    answer = () => {
      const reply = endless()
      if ('stream' in reply.body) reply.body.stream.once('close', () => (closed += 1))
      return reply
    }
    const stalled = await Promise.all(Array.from({ length: atOnce }, () => open()))
    expect(stalled.map(({ status }) => status)).toEqual(Array(atOnce).fill(200))
    expect(await oneMore()).toBe(429)
    await buffersFull()
    passed += readerStalledMs - 30_000
    await sleep(2500)
    expect(closed).toBe(0)
    passed += readerStalledMs + 1000
    await expect.poll(() => closed, { timeout: 20_000 }).toBe(atOnce)
    expect(await Promise.all(stalled.map(({ response }) => isCut(response)))).toEqual(Array(atOnce).fill(true))
    expect(await oneMore()).toBe(200)
  }, 120_000)

  test('who waits for rows that take their time is not', async () => {
    answer = ofLines(async function* () {
      yield 'first\r\n'
      await sleep(5000)
      yield 'last\r\n'
    })
    const text = fetch(`${address}${path}`, { headers }).then((reply) => reply.text())
    await sleep(1500)
    passed += 10 * readerStalledMs
    expect(await text).toBe('first\r\nlast\r\n')
  })
})

// modules/limits/limits.test.ts has one of them, with when its place is free again.
test(
  'every route that answers with a file lets an account have as many under way, and no more',
  { tags: ['exhaustive'], timeout: 120_000 },
  async () => {
    const inPath: Record<string, string> = {
      sound: `${'0'.repeat(64)}.wav`,
      recording: `${randomUUID()}.wav`,
      campaignZip: '1.zip',
      fileName: 'a.csv',
      language: 'ne',
      hash: '0'.repeat(64),
    }
    for (const { key, route } of fileRoutes) {
      const roles: readonly string[] = policy[key] as readonly string[]
      viewer = roles.includes('superAdmin') ? await newSuperAdmin(app) : await newUser(app)
      headers = await signedIn(app, viewer)
      answer = endless
      const place = route.path.replaceAll(/:(\w+)/g, (_, of: string) => inPath[of] ?? '1')
      const asked = new URLSearchParams(asks[key] ?? {}).toString()
      const opened = await Promise.all(Array.from({ length: atOnce + 1 }, () => open(`${place}?${asked}`)))
      const statuses = opened.map(({ status }) => status).toSorted()
      expect(statuses, key).toEqual([...Array<number>(atOnce).fill(200), 429])
      for (const { response } of opened) response.destroy()
    }
  },
)

/** What a route wants besides the parts of its path. */
const figures = { from: '2026-11-22', to: '2026-11-28', table: 'rows' }
const asks: Partial<Record<RouteKey, Record<string, string>>> = {
  'voices.wordList': { language: 'ne' },
  'traces.download': { format: 'text' },
  'previewCalls.hear': { until: '1', signature: '0' },
  'insight.callsCsv': figures,
  'insight.messagesCsv': figures,
  'credits.statementCsv': { month: '2026-11' },
}
