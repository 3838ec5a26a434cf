import { otherAccountCode, pageOwnerHeader } from '@ghanti/contract/page-owner.ts'
import type { Route } from '@ghanti/contract/route.ts'
import { routes } from '@ghanti/contract/routes.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { policy, type Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { listedRoutes } from '../../testing/requests.ts'
import { newUser, tokenOf } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let user: Viewer
let other: Viewer
let headers: { authorization: string }
beforeAll(async () => {
  http = await testHttp(app)
  user = await newUser(app, { username: 'user' })
  other = await newUser(app, { username: 'user2' })
  headers = await signedIn(app, other)
})
const pageOf = ({ userId }: Viewer) => ({ [pageOwnerHeader]: String(userId) })
const writes = listedRoutes.filter(({ route }) => route.method !== 'GET')
const reads = listedRoutes.filter(({ route }) => route.method === 'GET')
const refusal = {
  message: 'Request Failed!! Please try again',
  errors: [{ field: pageOwnerHeader, code: otherAccountCode, text: 'You are signed in as user2 in another window' }],
}

/** The body cannot be read, so no route does anything. */
function write(route: Route, more: Record<string, string>) {
  const url = route.path.replaceAll(/:\w+/g, '1')
  const type = { 'content-type': 'application/json' }
  return http.inject({ method: route.method, url, headers: { ...type, ...more }, payload: '{"a":' })
}

test.each(writes)('$key is refused to the page of another account, before its body is read', async ({ route }) => {
  const reply = await write(route, { ...headers, ...pageOf(user) })
  expect([reply.statusCode, reply.json()]).toEqual([409, refusal])
})

test.each(writes)('$key is open to the account’s own page, and to a program that names no page', async ({ route }) => {
  const [own, program] = [await write(route, { ...headers, ...pageOf(other) }), await write(route, headers)]
  expect(own.statusCode).not.toBe(409)
  expect([own.statusCode, own.body]).toEqual([program.statusCode, program.body])
})

test.each(reads)('$key answers nothing of this account to the page of another', async ({ route }) => {
  const url = route.path.replaceAll(/:\w+/g, '1')
  const reply = await http.inject({ url, headers: { ...headers, ...pageOf(user) } })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([409, 'application/json; charset=utf-8'])
  expect(reply.body).toContain(refusal.errors[0]?.text)
})

test('an event stream, whose address names the page, tells nothing of this account to the page of another', async () => {
  const { path } = routes.voiceCampaigns.events
  const reply = await http.inject({ url: `${path}?pageOwner=${user.userId}`, headers })
  expect([reply.statusCode, reply.json()]).toEqual([409, refusal])
  const own = await http.inject({ url: `${path}?pageOwner=${other.userId}`, headers, payloadAsStream: true })
  own.stream().destroy()
  expect(own.statusCode).toBe(200)
})

test('a page whose account signed out elsewhere is told so, as ever', async () => {
  for (const { key, route } of writes) {
    if (policy[key] === 'public') continue
    const reply = await write(route, pageOf(user))
    expect([reply.statusCode, reply.json()], key).toEqual([401, { message: 'Token Not Valid.' }])
  }
})

test('after a sign-in in another window nothing that the first page sends is done by the new account', async () => {
  const page = {
    cookie: `token=${await tokenOf(app, other.userId)}`,
    host: 'localhost:3000',
    origin: 'http://localhost:3000',
  }
  const { path: url } = routes.blacklist.add
  const add = (of: Viewer) =>
    http.inject({ method: 'POST', url, headers: { ...page, ...pageOf(of) }, payload: { mobile: '9851000007' } })
  expect((await add(user)).statusCode).toBe(409)
  expect(await app.db.selectFrom('blacklist').selectAll().execute()).toEqual([])
  const done = await add(other)
  expect(done.statusCode, done.body).toBe(200)
})

test.each(['', '0', 'user2', ' ', '1, 1', '9'.repeat(100)])(
  'a page that calls its account “%s” is refused',
  async (owner) => {
    const reply = await write(routes.blacklist.add, { ...headers, [pageOwnerHeader]: owner })
    expect(reply.statusCode).toBe(409)
  },
)
