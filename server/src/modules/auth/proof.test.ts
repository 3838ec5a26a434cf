import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { codeAt, giveTotp } from '../../testing/factors.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser, seededPassword } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let reseller: Viewer
let user: Viewer
beforeAll(async () => {
  http = await testHttp(app)
})
beforeEach(async () => {
  app.clock.set(new Date('2026-11-30T06:15:00Z'))
  reseller = await newReseller(app, { rupees: 1000 })
  user = await newUser(app, { parent: reseller })
})

type Headers = Record<string, string>
const post = (url: string, payload: object, headers: Headers) =>
  http.inject({ method: 'POST', url: `/api/obd/${url}`, payload, headers })
const give = (headers: Headers, key = randomUUID()) =>
  post('credits/add', { userId: user.userId, credits: 10 }, { ...headers, 'idempotency-key': key })
const minutes = (count: number) => app.clock.advance(count * 60_000)
const balance = async () => {
  const { balance_paisa } = await app.db
    .selectFrom('account')
    .select('balance_paisa')
    .where('id', '=', user.userId)
    .executeTakeFirstOrThrow()
  return balance_paisa / 100
}
const textOf = (reply: { json(): { errors?: { field: string; text: string }[] } }) => {
  const [error] = reply.json().errors ?? []
  return error && `${error.field} ${error.text}`
}

test('a sign-in counts as one for ten minutes; then the password is asked for, and lets what was refused through under the same key', async () => {
  const headers = await signedIn(app, reseller)
  minutes(9)
  expect((await give(headers)).statusCode).toBe(200)
  minutes(1)
  const key = randomUUID()
  const refused = await give(headers, key)
  expect(refused.statusCode).toBe(403)
  expect(refused.json()).toMatchObject({
    message: 'Not allowed',
    errors: [{ field: 'account', code: 'proof_needed', text: 'needs a fresh proof that it is you' }],
  })
  expect(textOf(await post('proof', { password: 'not the password' }, headers))).toBe(
    'password is not your present password',
  )
  expect((await give(headers, key)).statusCode).toBe(403)
  expect((await post('proof', { password: seededPassword }, headers)).json()).toEqual({ message: 'Success' })
  expect((await give(headers, key)).statusCode).toBe(200)
  expect((await give(headers, key)).statusCode, 'the same request').toBe(200)
  expect(await balance()).toBe(20)
  minutes(10)
  expect((await give(headers)).statusCode).toBe(403)
})

test('an account with a second factor proves itself by its code, which works once, and never by the password', async () => {
  await giveTotp(app, reseller.userId)
  const headers = await signedIn(app, reseller)
  minutes(11)
  expect(textOf(await post('proof', { password: seededPassword }, headers))).toBe(
    'password is not enough: this account has a second factor',
  )
  const code = codeAt(app.clock.now())
  const replies = await Promise.all(Array.from({ length: 8 }, () => post('proof', { code }, headers)))
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect((await give(headers)).statusCode).toBe(200)
  minutes(11)
  expect(textOf(await post('proof', { code }, headers))).toBe('code is not the code of now: each works once, for 30 s')
  expect((await post('proof', {}, headers)).statusCode).toBe(400)
  expect((await give(headers)).statusCode).toBe(403)
})

test('is of one session alone, wrong ones wait as wrong sign-ins do, and both are in the audit log', async () => {
  const [mine, other] = [await signedIn(app, reseller), await signedIn(app, reseller)]
  minutes(11)
  expect((await post('proof', { password: seededPassword }, mine)).statusCode).toBe(200)
  expect([(await give(mine)).statusCode, (await give(other)).statusCode]).toEqual([200, 403])
  const answers: number[] = []
  for (let n = 0; n < 12; n++) answers.push((await post('proof', { password: 'wrong' }, mine)).statusCode)
  expect(answers.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 400))
  expect(answers).toContain(429)
  const lines = await app.db.selectFrom('audit_log').select('action').where('actor_id', '=', reseller.userId).execute()
  expect(lines.filter(({ action }) => action === 'proof.failed').length).toBeGreaterThanOrEqual(9)
})

test('is good for as long as the platform says, and a list as a file asks for one while the list does not', async () => {
  const admin = await signedIn(app, await newSuperAdmin(app))
  expect((await post('settings', { proofMinutes: 4 }, admin)).statusCode).toBe(400)
  expect((await post('settings', { proofMinutes: 30 }, admin)).statusCode).toBe(200)
  const headers = await signedIn(app, reseller)
  minutes(29)
  expect((await give(headers)).statusCode).toBe(200)
  minutes(2)
  expect((await give(headers)).statusCode).toBe(403)
  const list = (query: string) => http.inject({ url: `/api/obd/superadmins${query}`, headers: admin })
  expect((await list('')).statusCode).toBe(200)
  expect((await list('?format=csv')).statusCode).toBe(403)
  await post('proof', { password: seededPassword }, admin)
  expect((await list('?format=csv')).statusCode).toBe(200)
})
