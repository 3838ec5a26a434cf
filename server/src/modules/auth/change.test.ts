import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser, seededPassword } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})

type Headers = Record<string, string>
const better = 'granite otter lantern 58'
const change = (headers: Headers, payload: object) =>
  http.inject({ method: 'POST', url: '/api/obd/password', headers, payload })
const login = (username: string, password: string, headers: Headers = {}) =>
  http.inject({ method: 'POST', url: '/api/obd/login', headers, payload: { username, password } })
const isIn = async (headers: Headers) => (await http.inject({ url: '/api/obd/session', headers })).statusCode === 200

test('who knows the present password sets another: other sessions end, this one stays, and the browser stays known', async () => {
  const user = await newUser(app)
  const [mine, other] = [await signedIn(app, user), await signedIn(app, user)]
  const reply = await change(mine, { current: seededPassword, password: better })
  expect([reply.statusCode, reply.json()]).toEqual([200, { message: 'Success' }])
  expect([await isIn(mine), await isIn(other)]).toEqual([true, false])
  expect((await login(user.username, seededPassword)).statusCode).toBe(401)
  const device = reply.cookies.find(({ name }) => name === 'device')?.value ?? ''
  const again = await login(user.username, better, { cookie: `device=${device}` })
  expect(again.statusCode).toBe(200)
  const idOf = (cookie: string) => cookie.split('.')[2]
  expect(idOf(again.cookies.find(({ name }) => name === 'device')?.value ?? ''), 'the same browser').toBe(idOf(device))
  const lines = await app.db
    .selectFrom('audit_log')
    .select(['action', 'detail'])
    .where('actor_id', '=', user.userId)
    .execute()
  expect(lines).toContainEqual({ action: 'password.change', detail: { sessions: 1 } })
  expect(JSON.stringify(lines)).not.toContain(better)
})

test.each([
  { why: 'a wrong present one', sent: { current: 'wrong' }, field: 'current', text: 'is not your present password' },
  {
    why: 'the same again',
    sent: { password: seededPassword },
    field: 'password',
    text: 'is your present password: choose another',
  },
  { why: 'a weak one', sent: { password: 'password123' }, field: 'password', text: 'is easy to guess' },
  {
    why: 'a short one',
    sent: { password: 'short' },
    field: 'password',
    text: 'Password cannot be less than 8 characters',
  },
  { why: 'none', sent: { password: '' }, field: 'password', text: 'is required' },
  { why: 'no present one', sent: { current: undefined }, field: 'current', text: 'is required' },
])('$why changes nothing and is refused at its field', async ({ sent, field, text }) => {
  const user = await newUser(app)
  const [mine, other] = [await signedIn(app, user), await signedIn(app, user)]
  const reply = await change(mine, { current: seededPassword, password: better, ...sent })
  expect(reply.statusCode).toBe(400)
  const { errors } = reply.json<{ errors: { field: string; text: string }[] }>()
  expect(errors[0]?.field).toBe(field)
  expect(errors[0]?.text).toContain(text)
  expect([await isIn(mine), await isIn(other)]).toEqual([true, true])
  expect((await login(user.username, seededPassword)).statusCode).toBe(200)
})

test('wrong present passwords wait as wrong sign-ins do, and are in the audit log', async () => {
  const user = await newUser(app)
  const headers = await signedIn(app, user)
  const codes: number[] = []
  for (let n = 0; n < 11; n++)
    codes.push((await change(headers, { current: `wrong ${n}`, password: better })).statusCode)
  expect(codes.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 400))
  expect(codes.at(-1)).toBe(429)
  const reply = await change(headers, { current: seededPassword, password: better })
  expect(reply.json()).toMatchObject({ errors: [{ field: 'current', code: 'throttled' }] })
  const failed = await app.db
    .selectFrom('audit_log')
    .select('id')
    .where('action', '=', 'password.changeFailed')
    .where('actor_id', '=', user.userId)
    .execute()
  expect(failed.length).toBeGreaterThanOrEqual(9)
})

test('of changes at once from two places one succeeds, and the other’s session is over', async () => {
  const user = await newUser(app)
  const places = [await signedIn(app, user), await signedIn(app, user)]
  const replies = await Promise.all(
    places.map((headers, n) => change(headers, { current: seededPassword, password: `${better} ${n}` })),
  )
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  const isOpen = await Promise.all(places.map(isIn))
  expect(isOpen).toEqual(replies.map(({ statusCode }) => statusCode === 200))
})
