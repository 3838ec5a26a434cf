import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import * as net from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { AppError, badField } from '../errors.ts'
import { testApp } from '../testing/app.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../testing/seed.ts'
import type { PartialHandlers } from './mount.ts'

/** Routes of the real contract with handlers that show what mount made of a request. */
const seen: { input: unknown; query: unknown }[] = []
let failure: Error | null = null
const rowsOfList = Array.from({ length: 3 }, (_, at) => at)
const prompt = {
  fileName: 'a.wav',
  userId: 1,
  promptCategory: 'menu',
  promptStatus: 0,
  accountType: 0,
  username: 'u',
  durationMs: 1,
  uploadedAt: 'x',
  rejectReason: null,
}
const handlers: PartialHandlers = {
  prompts: {
    async list(_ctx, input, query) {
      seen.push({ input, query })
      return { rows: rowsOfList.map((promptId) => ({ ...prompt, promptId })), total: 10_000, exact: false, next: 'abc' }
    },
    async approve(_ctx, input) {
      seen.push({ input, query: undefined })
      if (failure) throw failure
      return { message: 'Success' }
    },
    async delete(_ctx, input) {
      seen.push({ input, query: undefined })
      return { message: 'Success' }
    },
  },
  voiceCampaigns: {
    async retry(_ctx, input) {
      seen.push({ input, query: undefined })
      return { message: 'Success' }
    },
  },
  users: {
    async profile() {
      return { userId: 'not what the contract says' } as never
    },
  },
}
const logged: string[] = []
const app = { ...(await testApp()), log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }) }
let http: FastifyInstance
let user: { authorization: string }
let admin: { authorization: string }
beforeAll(async () => {
  http = await testHttp(app, { handlers })
  user = await signedIn(app, await newUser(app))
  admin = await signedIn(app, await newSuperAdmin(app))
})
const last = () => seen.at(-1)

describe('input', () => {
  test('is path, query and body in one; the path wins; blanks are absent; digits in strings are numbers', async () => {
    const reply = await http.inject({
      url: '/api/obd/prompts/7/?userId=9&promptStatus=&promptCategory=menu',
      headers: user,
    })
    expect(reply.statusCode).toBe(200)
    expect(last()?.input).toEqual({ userId: 7, promptCategory: ['menu'] })
    await http.inject({ method: 'DELETE', url: '/api/obd/prompt/12', headers: user })
    expect(last()?.input).toEqual({ promptId: 12 })
    await http.inject({
      method: 'POST',
      url: '/api/obd/campaign/retry/',
      headers: user,
      payload: { campaignId: '5', userId: null },
    })
    expect(last()?.input).toEqual({ campaignId: 5, invalidToo: false })
  })

  test('an empty JSON body is allowed, text that is no JSON and JSON that is no object are refused', async () => {
    const headers = { ...admin, 'content-type': 'application/json' }
    const post = (payload: string) =>
      http.inject({ method: 'POST', url: '/api/obd/prompt/approve/3', headers, payload })
    expect((await post('')).statusCode).toBe(200)
    expect((await post('{"a":')).json()).toMatchObject({
      message: 'Parameters Incorrect',
      errors: [{ field: 'body', text: 'is not JSON' }],
    })
    expect((await post('[1]')).json()).toMatchObject({ errors: [{ field: 'body' }] })
    const text = await http.inject({
      method: 'POST',
      url: '/api/obd/prompt/approve/3',
      headers: { ...admin, 'content-type': 'text/html' },
      payload: 'x',
    })
    expect([text.statusCode, text.json()]).toEqual([415, { message: 'text/html is not a supported format' }])
    const large = await post(JSON.stringify({ reason: 'x'.repeat(1_200_000) }))
    expect([large.statusCode, large.json()]).toEqual([
      413,
      { message: '1.2 MB is too large, please pick a smaller file' },
    ])
  })

  test('errors are named field by field', async () => {
    const reply = await http.inject({ url: '/api/obd/prompts/x?promptStatus=9', headers: user })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({
      message: 'Parameters Incorrect',
      errors: [{ field: 'userId' }, { field: 'promptStatus' }],
    })
  })
})

describe('addresses', () => {
  test('another method on a path that there is: 405 with those that there are', async () => {
    for (const [method, url, allow] of [
      ['POST', '/api/obd/prompts/7', 'GET'],
      ['GET', '/api/obd/prompt/12', 'DELETE'],
      ['PUT', '/api/obd/campaign/retry', 'POST'],
    ] as const) {
      const reply = await http.inject({ method, url, headers: user, payload: 'x' })
      expect([reply.statusCode, reply.headers.allow, reply.json()]).toEqual([
        405,
        allow,
        {
          message: 'Parameters Incorrect',
          errors: [{ field: 'method', code: 'not_allowed', text: `must be ${allow}` }],
        },
      ])
    }
    expect((await http.inject({ method: 'HEAD', url: '/api/obd/prompts/7', headers: user })).statusCode).toBe(200)
  })

  test('an address that cannot be decoded is 400 like any other', async () => {
    const reply = await http.inject({ url: '/assets/voice/5/prompts/%ff', headers: user })
    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      { message: 'Parameters Incorrect', errors: [{ field: 'path', code: 'unreadable', text: 'is not readable' }] },
    ])
    expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
  })

  test('a query parameter that is there twice is named', async () => {
    const reply = await http.inject({ url: '/api/obd/prompts/7?page=1&page=2&search=a&search=b', headers: user })
    expect([reply.statusCode, reply.json()]).toMatchObject([
      400,
      {
        errors: [
          { field: 'page', text: 'is there twice' },
          { field: 'search', text: 'is there twice' },
        ],
      },
    ])
  })
})

describe('lists', () => {
  const list = (query: string) => http.inject({ url: `/api/obd/prompts/7${query}`, headers: user })

  test('answer a bare array and say the rest in headers', async () => {
    const whole = await list('')
    expect(whole.json()).toHaveLength(3)
    expect(whole.headers).toMatchObject({
      'x-total-count': '10000',
      'x-total-exact': 'false',
      'x-truncated': 'true',
      'x-next-after': 'abc',
    })
    expect(last()?.query).toEqual({ sort: 'promptId', order: 'desc' })
    const paged = await list('?page=2&pageSize=3&sort=fileName')
    expect(paged.headers['x-truncated']).toBeUndefined()
    expect(last()?.query).toEqual({ page: 2, pageSize: 3, sort: 'fileName', order: 'asc' })
  })

  test('refuse sort keys and page sizes that are not offered', async () => {
    expect((await list('?sort=passwordHash')).json()).toMatchObject({
      errors: [{ field: 'sort', text: expect.stringContaining('must be one of promptId') }],
    })
    expect((await list('?pageSize=1001')).json()).toMatchObject({ errors: [{ field: 'pageSize' }] })
    expect((await list('?order=up')).json()).toMatchObject({
      errors: [{ field: 'order', text: 'must be asc or desc' }],
    })
    expect((await list('?page=x')).json()).toMatchObject({
      errors: [{ field: 'page', text: 'must be a whole number from 1 to 10000' }],
    })
    expect((await list('?search=%00')).json()).toMatchObject({
      errors: [{ field: 'search', text: 'has line breaks or control characters' }],
    })
  })
})

describe('failures', () => {
  const approve = () => http.inject({ method: 'POST', url: '/api/obd/prompt/approve/3', headers: admin, payload: {} })

  test('a message outside ASCII is answered, without becoming the reason phrase', async () => {
    failure = new AppError('conflict', [], { message: 'घण्टी' })
    const { port } = (await http.listen({ port: 0, host: '127.0.0.1' }), http.server.address() as AddressInfo)
    const reply = await fetch(`http://127.0.0.1:${port}/api/obd/prompt/approve/3`, { method: 'POST', headers: admin })
    expect([reply.status, reply.statusText, await reply.json()]).toEqual([409, 'Conflict', { message: 'घण्टी' }])
    failure = badField('reason', 'is rude')
    const plain = await fetch(`http://127.0.0.1:${port}/api/obd/prompt/approve/3`, { method: 'POST', headers: admin })
    expect([plain.status, plain.statusText]).toEqual([400, 'Parameters Incorrect'])
  })

  test('a bug answers 500 and tells nothing of itself', async () => {
    failure = new Error('secret detail')
    const reply = await approve()
    expect([reply.statusCode, reply.body]).toEqual([500, '{"message":"Request Failed!! Please try again"}'])
  })

  test('Retry-After comes with 429 and 503', async () => {
    failure = new AppError('not_ready', [], { retryAfterSeconds: 7 })
    const reply = await approve()
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '7'])
    failure = null
  })

  test('an unknown path is 404, and so is a route of the contract that nobody mounted here', async () => {
    for (const url of ['/api/obd/nothing', '/api/obd/dialblocks', '/anything'])
      expect((await http.inject({ url, headers: admin })).json()).toEqual({ message: 'No data found' })
  })

  test('a reply that the contract does not describe is found in tests', async () => {
    expect((await http.inject({ url: '/api/obd/user/profile/1', headers: user })).statusCode).toBe(500)
  })

  test('nobody, a role that may not: 401, 403, before the input is looked at', async () => {
    expect((await http.inject({ method: 'POST', url: '/api/obd/prompt/approve/x' })).statusCode).toBe(401)
    expect((await http.inject({ method: 'POST', url: '/api/obd/prompt/approve/x', headers: user })).statusCode).toBe(
      403,
    )
  })

  test('a refused request is logged with its route and its account', async () => {
    logged.length = 0
    await http.inject({ method: 'POST', url: '/api/obd/prompt/approve/x', headers: user })
    expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 40, route: 'prompts.approve', userId: expect.any(Number), ip: '127.0.0.1' },
    ])
  })
})

describe('origin and host', () => {
  const post = (headers: Record<string, string>) =>
    http.inject({ method: 'POST', url: '/api/obd/prompt/approve/3', headers: { host: 'localhost:3000', ...headers } })
  const cookie = () => `token=${admin.authorization.slice(7)}`

  test('a write that rides on the cookie needs the page’s own origin', async () => {
    expect((await post({ cookie: cookie() })).statusCode).toBe(403)
    expect((await post({ cookie: cookie(), origin: 'https://evil.example' })).json()).toMatchObject({
      errors: [{ field: 'Origin' }],
    })
    expect((await post({ cookie: cookie(), origin: 'null' })).statusCode).toBe(403)
    expect((await post({ cookie: cookie(), origin: 'http://localhost:3000' })).statusCode).toBe(200)
    expect((await post(admin)).statusCode).toBe(200)
  })

  test('reading by cookie needs none', async () => {
    expect((await http.inject({ url: '/api/obd/prompts/7', headers: { cookie: cookie() } })).statusCode).toBe(200)
  })

  test('while a demo account exists only localhost, names below it and 127.0.0.1 are answered, afterwards any host', async () => {
    const demo = await newReseller(app)
    await app.db.updateTable('users').set({ is_demo: true }).where('id', '=', demo.userId).execute()
    const guarded = await testHttp(app, { handlers })
    const from = (host: string) => guarded.inject({ url: '/healthz', headers: { host } })
    for (const host of ['localhost', '127.0.0.1:3000', 'localhost:81', 'Brand.localhost:3000'])
      expect((await from(host)).statusCode).toBe(200)
    for (const host of ['evil.example', 'localhost.evil.example', 'evillocalhost', '192.168.1.7:3000'])
      expect((await from(host)).json()).toMatchObject({ errors: [{ field: 'Host', code: 'demo' }] })
    await app.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', demo.userId).execute()
    expect((await from('calls.example.com')).statusCode).toBe(200)
  })

  test('the security headers are on every answer', async () => {
    for (const url of ['/healthz', '/api/obd/nothing', '/api/docs'])
      expect((await http.inject({ url })).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringMatching("default-src 'self'.*frame-ancestors 'none'"),
      })
  })
})

describe('health, documents, metrics', () => {
  test('ready while the database answers', async () => {
    expect((await http.inject({ url: '/readyz' })).json()).toEqual({ status: 'ready' })
  })

  test('the OpenAPI document holds every route, and the page shows them', async () => {
    const document = (await http.inject({ url: '/api/openapi.json', headers: user })).json()
    expect(
      document.paths['/api/obd/campaign/compose'].post.requestBody.content['application/json'].schema.properties,
    ).toHaveProperty('campaignName')
    expect(
      document.paths['/api/obd/promptupload'].post.requestBody.content['multipart/form-data'].schema.properties
        .waveFile,
    ).toEqual({ type: 'string', format: 'binary' })
    expect((await http.inject({ url: '/api/docs', headers: user })).body).toContain('/api/obd/campaign/compose')
  })

  test('metrics answer to the token alone, and are not there without one', async () => {
    expect((await http.inject({ url: '/metrics' })).statusCode).toBe(404)
    const token = createHash('sha256').update('x').digest('hex')
    const metered = await testHttp({ ...app, config: { ...app.config, metricsToken: token } }, { handlers })
    expect((await metered.inject({ url: '/metrics' })).statusCode).toBe(401)
    const reply = await metered.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
    expect(reply.body).toContain('ghanti_http_request_seconds')
  })

  test('BASE_PATH prefixes every path, and the API answers at the root as well', async () => {
    const based = await testHttp({ ...app, config: { ...app.config, basePath: '/build' } }, { handlers })
    for (const url of ['/build/api/obd/prompts/7', '/api/obd/prompts/7'])
      expect((await based.inject({ url, headers: user })).statusCode).toBe(200)
    expect((await based.inject({ url: '/building/api/obd/prompts/7', headers: user })).statusCode).toBe(404)
  })
})

test('a connection that says nothing does not hold a server that closes', async () => {
  const idle = await testHttp(app, { handlers })
  await idle.listen({ port: 0, host: '127.0.0.1' })
  const socket = net.connect((idle.server.address() as AddressInfo).port, '127.0.0.1')
  await new Promise((ok) => socket.once('connect', ok))
  const ended = new Promise((ok) => socket.once('close', ok))
  await idle.close()
  await ended
})
