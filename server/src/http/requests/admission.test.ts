import { once } from 'node:events'
import * as net from 'node:net'
import type { AddressInfo } from 'node:net'
import { routes } from '@ghanti/contract/routes.ts'
import type { Route } from '@ghanti/contract/route.ts'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { FairSemaphore } from '../../lib/fair-semaphore.ts'
import { workOf } from '../../limited-routes.ts'
import { WorkLimits } from '../../modules/limits/actions.ts'
import { workLimits } from '../../modules/limits/rules.ts'
import { policy, type Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { listedRoutes } from '../../testing/requests.ts'
import { newReseller, newUser, seededPassword } from '../../testing/seed.ts'

const app = await testApp()
const limited = { ...app, workLimits: new WorkLimits() }
let http: FastifyInstance
let user: Viewer
let headers: { authorization: string }
beforeAll(async () => {
  http = await testHttp(limited)
  user = await newUser(app)
  headers = await signedIn(app, user)
})
const json = { 'content-type': 'application/json' }
const manyFields = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')}}`
const errorsOf = (reply: LightMyRequestResponse) => reply.json<{ errors?: { field: string; text: string }[] }>().errors

const publicPosts = listedRoutes.filter(({ key, route }) => policy[key] === 'public' && route.method === 'POST')
const otherPosts = listedRoutes.filter(({ key, route }) => policy[key] !== 'public' && route.method === 'POST')
const composeUrl = routes.voiceCampaigns.compose.path
const urlOf = (route: Route) => route.path.replaceAll(/:\w+/g, '1')

test.each(publicPosts)('$key, open to strangers, takes 16 KiB', async ({ route }) => {
  const reply = await http.inject({ method: 'POST', url: urlOf(route), headers: json, payload: manyFields(2000) })
  expect(reply.statusCode, reply.body).toBe(413)
  const fits = await http.inject({ method: 'POST', url: urlOf(route), headers: json, payload: manyFields(1000) })
  expect([fits.statusCode, errorsOf(fits)]).toEqual([
    400,
    [{ field: 'body', code: 'too_many', text: 'has more than 256 fields and items of lists' }],
  ])
})

test.each(otherPosts)('$key asks who it is before it reads what is said', async ({ route }) => {
  const reply = await http.inject({ method: 'POST', url: urlOf(route), headers: json, payload: '{"a":' })
  expect([reply.statusCode, errorsOf(reply)]).toEqual([401, undefined])
  const fromElsewhere = { ...json, origin: 'https://elsewhere.example' }
  const other = await http.inject({ method: 'POST', url: urlOf(route), headers: fromElsewhere, payload: '{"a":' })
  expect([other.statusCode, errorsOf(other)?.[0]?.field]).toEqual([403, 'Origin'])
})

test('a body of seventy thousand fields is answered by one error, before anything is built of it', async () => {
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  for (const payload of [manyFields(70_000), `{"dtmf":${'['.repeat(50_000)}`, `{"dtmf":[${'1,'.repeat(200_000)}1]}`]) {
    const reply = await http.inject({
      method: 'POST',
      url: composeUrl,
      headers: { ...headers, ...json },
      payload,
    })
    expect([reply.statusCode, errorsOf(reply)?.length]).toEqual([400, 1])
  }
  expect(parse.mock.calls.filter(([text]) => text.length > 10_000)).toEqual([])
})

test.each(['agentRows', 'prompts', 'smsDtmfTexts', 'keyLabels'])('%s as text is counted like a body', async (field) => {
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const payload = { templateId: 0, [field]: manyFields(9_000) }
  const reply = await http.inject({ method: 'POST', url: composeUrl, headers, payload })
  expect(errorsOf(reply)?.filter((error) => error.field === field)).toEqual([
    { field, code: 'custom', text: expect.stringMatching(/^has more than \d+ fields and items of lists$/) },
  ])
  expect(parse.mock.calls.filter(([text]) => text.length > 90_000)).toHaveLength(1) // the body around it
})

test('an answer has at most fifty errors, says how many more there are, and repeats no long name', async () => {
  const payload = {
    kind: 'calls',
    format: 'csv',
    filter: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`k${n}`, 1])),
  }
  const reply = await http.inject({ method: 'POST', url: '/api/obd/export', headers, payload })
  expect(reply.statusCode).toBe(400)
  expect(errorsOf(reply)).toHaveLength(50)
  expect(errorsOf(reply)?.at(-1)).toEqual({ field: 'body', code: 'more', text: 'has 151 more errors' })
  const long = { kind: 'calls', format: 'csv', filter: { ['x'.repeat(500_000)]: 1 } }
  const short = await http.inject({ method: 'POST', url: '/api/obd/export', headers, payload: long })
  expect(short.statusCode).toBe(400)
  expect(short.body.length).toBeLessThan(1000)
})

test('a text longer than any field takes is refused before its own checks, by its name', async () => {
  const payload = { cliName: 'x'.repeat(100_001) }
  const reply = await http.inject({ method: 'POST', url: routes.smsSenders.ask.path, headers, payload })
  expect([reply.statusCode, errorsOf(reply)]).toEqual([
    400,
    [{ field: 'cliName', code: 'too_big', text: 'is longer than 100000 characters' }],
  ])
})

test('a query of more than 256 parameters is refused, on every path', async () => {
  const query = Array.from({ length: 257 }, (_, n) => `k${n}`).join('&')
  for (const url of [`/api/obd/campaign/${user.userId}?${query}`, `/api/obd/session?${query}`]) {
    const reply = await http.inject({ url, headers })
    expect([reply.statusCode, errorsOf(reply)]).toEqual([
      400,
      [{ field: 'query', code: 'too_many', text: 'has more than 256 parameters' }],
    ])
  }
})

describe('what a route gets without a line of its own', () => {
  const keys = Object.entries(routes).flatMap(([area, of]) =>
    Object.entries<Route>(of).map(([name, route]) => ({
      key: `${area}.${name}` as (typeof listedRoutes)[number]['key'],
      route,
    })),
  )

  test('whatever changes something is counted, by account or by network', () => {
    const writes = keys.filter(({ route }) => route.method !== 'GET')
    const uncounted = writes.filter(
      ({ key, route }) => workOf(key, route, { isCsv: false, isStranger: policy[key] === 'public' }) === null,
    )
    expect(uncounted).toEqual([])
  })

  test('a new write, upload and list as a file are counted as such', () => {
    const of = (route: Pick<Route, 'kind' | 'method'>, isCsv = false) =>
      workOf('new.one' as never, route, { isCsv, isStranger: false })
    expect(of({ kind: 'json', method: 'POST' })).toBe('writes')
    expect(of({ kind: 'json', method: 'DELETE' })).toBe('writes')
    expect(of({ kind: 'upload', method: 'POST' })).toBe('uploads')
    expect(of({ kind: 'list', method: 'GET' }, true)).toBe('exports')
    expect(of({ kind: 'list', method: 'GET' })).toBeNull()
  })
})

async function anotherMinute(): Promise<void> {
  await app.db.deleteFrom('rate_limit').where('key', 'not like', '% a day').execute()
  limited.workLimits = new WorkLimits()
}
const saveView = (as = headers, server = http) =>
  server.inject({ method: 'POST', url: '/api/obd/notices/read', headers: as, payload: { noticeId: 1 } })

test('an account’s changes of a minute and of a day end, over all processes, and those of others do not', async () => {
  const { writes } = workLimits
  const [one, two] = [http, await testHttp({ ...app, workLimits: new WorkLimits() })]
  const take = async (count: number) => {
    const replies = []
    for (let n = 0; n < count; n++) replies.push((await saveView(headers, n % 2 ? one : two)).statusCode)
    return replies.filter((status) => status === 429).length
  }
  await anotherMinute()
  expect(await take(writes.perMinute)).toBe(0)
  const late = await saveView()
  expect([late.statusCode, errorsOf(late)?.[0]?.text]).toEqual([
    429,
    expect.stringMatching(/^One account may begin 240 changes a minute\. Try again in \d+ s$/),
  ])
  const other = await signedIn(app, await newReseller(app))
  expect((await saveView(other)).statusCode).not.toBe(429)
  await anotherMinute()
  await sql`update rate_limit set points = ${writes.perDay} where key = ${`writes of ${user.userId} a day`}`.execute(
    app.db,
  )
  const tomorrow = await saveView()
  expect([tomorrow.statusCode, errorsOf(tomorrow)?.[0]?.text]).toEqual([
    429,
    expect.stringMatching(/^One account may begin 10000 changes a day\. Try again in \d+ min$/),
  ])
  expect(Number(tomorrow.headers['retry-after'])).toBeGreaterThan(3600)
  expect((await saveView(other)).statusCode).not.toBe(429)
})

test('what strangers may ask for ends by network, and says so', async () => {
  const url = routes.auth.logout.path
  for (let n = 0; n < workLimits.strangers.perMinute; n++)
    await http.inject({ method: 'POST', url, remoteAddress: '203.0.113.7' })
  const late = await http.inject({ method: 'POST', url, remoteAddress: '203.0.113.7' })
  expect([late.statusCode, errorsOf(late)?.[0]?.field]).toEqual([429, 'network'])
  expect(errorsOf(late)?.[0]?.text).toMatch(
    /^One network may begin 240 requests without a session a minute\. Try again in \d+ s$/,
  )
  expect((await http.inject({ method: 'POST', url, remoteAddress: '198.51.100.7' })).statusCode).not.toBe(429)
})

const detail = (viewer: Viewer) => `/api/obd/dashboard/${viewer.userId}`
test.each([
  { what: 'sixty dashboards', count: 60, url: detail }, // a dashboard is dear; of profiles more wait
  { what: 'two hundred profiles', count: 200, url: ({ userId }: Viewer) => `/api/obd/user/profile/${userId}` },
])(
  'an account that asks for $what at once has them read by turns: another’s is answered before its twentieth',
  async ({ count, url }) => {
    const [hostile, other] = [await newUser(app), await newUser(app)]
    const [asHostile, asOther] = [await signedIn(app, hostile), await signedIn(app, other)]
    let answered = 0
    let before = -Infinity
    const { run } = FairSemaphore.prototype
    const line = vi.spyOn(FairSemaphore.prototype, 'run').mockImplementation(function (
      this: FairSemaphore,
      work,
      whose,
    ) {
      if (whose === other.userId) before = answered
      return run.call(this, work, whose)
    })
    onTestFinished(() => line.mockRestore())
    const flood = Array.from({ length: count }, async () => {
      const { statusCode } = await http.inject({ url: url(hostile), headers: asHostile })
      answered += 1
      return statusCode
    })
    expect((await http.inject({ url: url(other), headers: asOther })).statusCode).toBe(200)
    expect(answered - before).toBeLessThan(20)
    expect(new Set(await Promise.all(flood))).toEqual(new Set([200]))
  },
)

test('whoever signs in or uses a mailed link is not counted with the neighbours behind the same address', async () => {
  const ask = (url: string, payload: object) =>
    http.inject({ method: 'POST', url, payload, remoteAddress: '203.0.113.9' })
  for (let n = 0; n <= workLimits.strangers.perMinute; n++) await ask(routes.auth.logout.path, {})
  expect((await ask(routes.auth.logout.path, {})).statusCode).toBe(429)
  for (const [url, payload] of [
    [routes.auth.login.path, { username: user.username, password: seededPassword }],
    [routes.auth.updatePwd.path, { token: 'x'.repeat(43), password: 'quiet-River-of-stone' }],
    [routes.auth.verifyMail.path, { token: 'x'.repeat(43) }],
  ] as const)
    expect((await ask(url, payload)).statusCode, url).not.toBe(429)
})

test('a statement that takes too long is ended, and the answer says so', async () => {
  const slow = await testHttp(app, {
    handlers: {
      auth: {
        session: async () => {
          throw Object.assign(new Error('canceling statement'), { code: '57014' })
        },
      },
    },
  })
  const reply = await slow.inject({ url: routes.auth.session.path, headers })
  expect([reply.statusCode, errorsOf(reply)]).toEqual([
    503,
    [{ field: 'request', code: 'over_time', text: 'took too long and was ended: ask for less at once' }],
  ])
})

test('a path that does not exist is answered before its body is read', async () => {
  const reply = await http.inject({ method: 'POST', url: '/api/obd/nothing', headers: json, payload: '{"a":' })
  expect(reply.statusCode).toBe(404)
})

test('a request that is refused before its body is read leaves its connection usable', async () => {
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  const socket = net.connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  let said = ''
  socket.on('data', (part: Buffer) => (said += part.toString()))
  const body = manyFields(50_000)
  socket.write(
    `POST ${composeUrl} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  socket.write('GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  await expect.poll(() => said).toMatch(/401[^]*200 OK[^]*"ok"/)
})
