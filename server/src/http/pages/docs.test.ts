import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { endSessions } from '../../modules/auth/actions.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newApiKey } from '../../testing/keys.ts'
import { newReseller, newUser } from '../../testing/seed.ts'

const app = await testApp()
const config = { ...app.config, basePath: '/build' }
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp({ ...app, config })
})

const ask = (url: string, headers: Record<string, string> = {}) =>
  http.inject({ url, headers: { host: 'localhost:3000', ...headers } })
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('outside the demo the documents of the API ask for a session: 401, and a browser is led to the login', async () => {
  for (const url of ['/api/docs', '/api/openapi.json', '/build/api/docs']) {
    const reply = await ask(url)
    expect([reply.statusCode, reply.json()]).toEqual([401, { message: 'Token Not Valid.' }])
  }
  const led = await ask('/api/docs', browser)
  expect([led.statusCode, led.headers.location, led.body]).toEqual([302, '/build/login', ''])
  expect((await ask('/api/openapi.json', browser)).statusCode).toBe(401)
})

test('any session opens them, by header or cookie, until it ends; no cache keeps them for the next', async () => {
  const user = await newUser(app)
  const headers = await signedIn(app, user)
  const cookie = `token=${headers.authorization.slice(7)}`
  for (const who of [headers, { cookie, ...browser }]) {
    const page = await ask('/api/docs', who)
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(page.body).toContain('/api/obd/campaign/compose')
    expect((await ask('/api/openapi.json', who)).json()).toHaveProperty('openapi', '3.1.0')
    const packed = await ask('/api/openapi.json', { ...who, 'accept-encoding': 'gzip' })
    expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toHaveProperty('openapi', '3.1.0')
  }
  expect((await ask('/api/docs', { cookie, authorization: 'Bearer wrong' })).statusCode).toBe(401)
  await endSessions(app.db, user.userId)
  expect((await ask('/api/docs', headers)).statusCode).toBe(401)
})

test('a session that lacks something opens them once it has that', async () => {
  const user = await newUser(app)
  const headers = await signedIn(app, user)
  const lacks = (must: 'password' | 'factor' | null) =>
    app.db.updateTable('session').set({ must }).where('user_id', '=', user.userId).execute()
  for (const must of ['password', 'factor'] as const) {
    await lacks(must)
    const reply = await ask('/api/openapi.json', headers)
    expect([reply.statusCode, reply.json()]).toMatchObject([403, { errors: [{ code: `${must}_required` }] }])
    expect((await ask('/api/docs', headers)).statusCode).toBe(403)
  }
  await lacks(null)
  expect((await ask('/api/openapi.json', headers)).statusCode).toBe(200)
})

test('in the demo, which answers this machine alone, everybody reads them', async () => {
  const demo = await newReseller(app)
  await app.db.updateTable('users').set({ is_demo: true }).where('id', '=', demo.userId).execute()
  for (const url of ['/api/docs', '/api/openapi.json']) expect((await ask(url)).statusCode).toBe(200)
})

test('gateways find there how they tell of receipts and incoming messages', async () => {
  const headers = await signedIn(app, await newUser(app))
  const { paths } = (await ask('/api/openapi.json', headers)).json<{ paths: Record<string, object> }>()
  expect(paths['/app/sms/callback/{gatewayId}']).toMatchObject({ get: { security: [] }, post: { security: [] } })
  expect((await ask('/api/docs', headers)).body).toContain('/app/sms/callback/{gatewayId}')
})

test('programs find there what keys may call, and a key reads it, too', async () => {
  const { headers } = await newApiKey(app, await newUser(app), { scopes: ['messages:write'] })
  const reply = await ask('/api/openapi.json?for=programs', headers)
  const { paths } = reply.json<{ paths: Record<string, object> }>()
  expect(paths['/api/v1/messages']).toMatchObject({ post: { security: [{ key: ['messages:write'] }] } })
  expect(paths).not.toHaveProperty('/api/obd/keys')
  const other = await ask('/api/openapi.json?for=people', headers)
  expect([other.statusCode, other.json()]).toMatchObject([
    400,
    { errors: [{ field: 'for', text: 'must be programs' }] },
  ])
})

test('the clients for programs are there for everybody, as text that a browser saves', async () => {
  for (const [name, part] of [
    ['ghanti.php', 'class Ghanti'],
    ['ghanti.py', 'class Ghanti'],
  ] as const) {
    const reply = await ask(`/api/v1/clients/${name}`)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(reply.headers['content-disposition']).toBe(`attachment; filename="${name}"`)
    expect(reply.body).toContain(part)
  }
})
