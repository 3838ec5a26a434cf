import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { codeAt, giveTotp } from '../../testing/factors.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSuperAdmin, newUser, seededPassword } from '../../testing/seed.ts'
import { until } from '../../testing/until.ts'
import { sendSecurityMail } from '../security/actions.ts'

const app = await testApp()
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})
beforeEach(() => app.clock.set(new Date('2026-11-30T06:15:00Z')))

type Headers = Record<string, string>
const post = (url: string, payload: object = {}, headers: Headers = {}, remoteAddress = '127.0.0.1') =>
  http.inject({ method: 'POST', url: `/api/obd/${url}`, payload, headers, remoteAddress })
const statusOf = async (headers: Headers) => (await http.inject({ url: '/api/obd/session', headers })).statusCode

async function addTotp(headers: Headers): Promise<void> {
  const begun = (await post('factors/totp/begin', {}, headers)).json<Record<string, string>>()
  const code = codeAt(app.clock.now(), begun['secret'])
  expect((await post('factors/totp', { token: begun['token'], code }, headers)).statusCode).toBe(200)
}

/** Nobody confirmed its address, so no code is mailed. */
async function unconfirmed(): Promise<Viewer> {
  const user = await newUser(app)
  await app.db.updateTable('users').set({ verified_emailid: null }).where('id', '=', user.userId).execute()
  return user
}

describe('the first factor', () => {
  test('ends every other session of its account: a stranger’s, whom the password let in, would replace it', async () => {
    const user = await unconfirmed()
    const [owner, stranger] = [await signedIn(app, user), await signedIn(app, user)]
    await addTotp(owner)
    expect([await statusOf(owner), await statusOf(stranger)]).toEqual([200, 401])
    const another = await signedIn(app, user)
    await addTotp(owner)
    expect(await statusOf(another), 'one in place of another ends none').toBe(200)
  })

  test('is seen by a sign-in that had read the account before and waits for it', async () => {
    const user = await newUser(app)
    const adding = await app.pool.connect()
    await adding.query('begin')
    await adding.query('select from users where id = $1 for no key update', [user.userId])
    const waiting = post('login', { username: user.username, password: seededPassword }).then((reply) => reply)
    const waits = "select from pg_stat_activity where datname = current_database() and pg_blocking_pids(pid) <> '{}'"
    try {
      await until('the sign-in waits', async () => (await app.pool.query(waits)).rows.length > 0, { timeoutMs: 15_000 })
      await giveTotp(app, user.userId)
    } finally {
      await adding.query('commit')
      adding.release()
    }
    const reply = await waiting
    expect(reply.json()).not.toHaveProperty('token')
    const again = await post('login', { username: user.username, password: seededPassword })
    expect(again.json()).toHaveProperty('ticket')
  })

  test('that must be added is added however long that takes: the session proves itself once more', async () => {
    const admin = await signedIn(app, await newSuperAdmin(app))
    const rule = (users: string) =>
      post('settings', { secondFactor: { superAdmins: 'off', resellers: 'off', users } }, admin)
    expect((await rule('required')).statusCode).toBe(200)
    const user = await unconfirmed()
    const reply = await post('login', { username: user.username, password: seededPassword })
    const headers = { authorization: `Bearer ${reply.json<{ token: string }>().token}` }
    app.clock.advance(11 * 60_000)
    const begin = await post('factors/totp/begin', {}, headers)
    expect(begin.json()).toMatchObject({ errors: [{ code: 'proof_needed' }] })
    expect((await post('proof', { password: seededPassword }, headers)).json()).toEqual({ message: 'Success' })
    await addTotp(headers)
    expect((await http.inject({ url: '/api/obd/notices', headers })).statusCode).toBe(200)
  })
})

describe('adding a factor', () => {
  test('belongs to its session: another one of the account neither ends it, nor its sign-ins, nor goes on with it', async () => {
    const user = await unconfirmed()
    await giveTotp(app, user.userId)
    const [owner, stranger] = [await signedIn(app, user), await signedIn(app, user)]
    const half = await post('login', { username: user.username, password: seededPassword })
    const begun = (await post('factors/totp/begin', {}, owner)).json<Record<string, string>>()
    for (let n = 0; n < 7; n++) expect((await post('factors/totp/begin', {}, stranger)).statusCode).toBe(200)
    const adding = { token: begun['token'], code: codeAt(app.clock.now(), begun['secret']) }
    const elsewhere = await post('factors/totp', adding, stranger)
    expect(elsewhere.json()).toMatchObject({ errors: [{ field: 'token', text: 'is over: begin again' }] })
    const step = { ticket: half.json<{ ticket: string }>().ticket, code: codeAt(app.clock.now()) }
    expect((await post('login/factor', step)).statusCode).toBe(200)
    expect((await post('factors/totp', adding, owner)).statusCode).toBe(200)
  })

  test('is begun in several tabs of a session at once, the last five of which go on', async () => {
    const user = await unconfirmed()
    const headers = await signedIn(app, user)
    const begun: Record<string, string>[] = []
    for (let n = 0; n < 6; n++) {
      begun.push((await post('factors/totp/begin', {}, headers)).json<Record<string, string>>())
      app.clock.advance(1000)
    }
    const add = (n: number) =>
      post('factors/totp', { token: begun[n]?.['token'], code: codeAt(app.clock.now(), begun[n]?.['secret']) }, headers)
    expect((await add(0)).json()).toMatchObject({ errors: [{ field: 'token', text: 'is over: begin again' }] })
    expect((await add(1)).statusCode).toBe(200)
  })
})

test('a stranger who knows the password and tries codes is told of, once a day; a wrong code in the owner’s network is not', async () => {
  const user = await newUser(app)
  await giveTotp(app, user.userId)
  const tryCode = async (code: string, ip: string) => {
    const half = await post('login', { username: user.username, password: seededPassword }, {}, ip)
    return (await post('login/factor', { ticket: half.json<{ ticket: string }>().ticket, code }, {}, ip)).statusCode
  }
  const right = codeAt(app.clock.now())
  const wrong = right === '000000' ? '000001' : '000000'
  expect(await tryCode(right, '103.10.28.7')).toBe(200)
  expect(await tryCode(wrong, '103.10.28.7')).toBe(400)
  const told = () => app.db.selectFrom('notice').select(['kind', 'about']).where('user_id', '=', user.userId).execute()
  expect(await told()).toEqual([])
  for (let n = 0; n < 2; n++) expect(await tryCode(wrong, '8.8.8.8')).toBe(400)
  expect(await tryCode(wrong, '9.9.9.9')).toBe(400)
  expect(await told()).toEqual([{ kind: 'wrongCodes', about: '8.8.8.8' }])
  const { rows } = await app.pool.query<{ data: Parameters<typeof sendSecurityMail>[1] }>(
    "select data from pgboss.job where name = 'security-mail' and (data->>'userId')::int = $1",
    [user.userId],
  )
  expect(rows).toHaveLength(1)
  if (rows[0]) await sendSecurityMail(app, rows[0].data)
  const mail = app.mail.sent.at(-1)
  expect(mail?.subject).toBe('Somebody knows your password · पासवर्ड अरूलाई थाहा छ')
  expect(mail?.text).toMatch(/not-me\/[\w-]{43}$/m)
})

test('who has codes mailed all day uses up no mail about new browsers', async () => {
  const user = await newUser(app)
  const signIn = (ip: string) => post('login', { username: user.username, password: seededPassword }, {}, ip)
  const reply = await signIn('103.10.28.7')
  const headers = { authorization: `Bearer ${reply.json<{ token: string }>().token}` }
  for (let n = 0; n < 10; n++)
    expect((await post('factors/totp/begin', {}, headers)).json()).toMatchObject({ mailed: true })
  expect((await post('factors/totp/begin', {}, headers)).json()).toMatchObject({ errors: [{ code: 'mails_used_up' }] })
  await signIn('8.8.8.8')
  const { rows } = await app.pool.query(
    "select from pgboss.job where name = 'security-mail' and (data->>'userId')::int = $1",
    [user.userId],
  )
  expect(rows).toHaveLength(1)
})

test('what is shown once is kept under no key, in no row and in no backup', async () => {
  const user = await newUser(app)
  await giveTotp(app, user.userId)
  const headers = { ...(await signedIn(app, user)), 'idempotency-key': 'the same' }
  const codes = async () => (await post('factors/recovery', {}, headers)).json<{ codes: string[] }>().codes
  const [first, second] = [await codes(), await codes()]
  expect(first).toHaveLength(10)
  expect(second, 'others are made').not.toEqual(first)
  const { secret } = (await post('factors/totp/begin', {}, { ...headers, 'idempotency-key': 'another' })).json<{
    secret: string
  }>()
  const kept = JSON.stringify(await app.db.selectFrom('idempotency_key').select('reply').execute())
  for (const shown of [...first, ...second, secret]) expect(kept).not.toContain(shown)
})
