import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { codeAt, giveTotp } from '../../testing/factors.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser, seededPassword } from '../../testing/seed.ts'
import { sendFactorCode } from './actions.ts'

const app = await testApp()
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})
const noon = new Date('2026-11-30T06:15:00Z')
/** Another for each test: a network has twenty failures. */
let network = 0
beforeEach(() => {
  network++
  app.clock.set(noon)
  app.mail.sent.length = 0
})

type Headers = Record<string, string>
const post = (url: string, payload: object = {}, headers: Headers = {}, remoteAddress = `103.10.${network}.7`) =>
  http.inject({ method: 'POST', url: `/api/obd/${url}`, payload, headers, remoteAddress })
const login = ({ username }: Viewer, headers: Headers = {}, ip?: string, password = seededPassword) =>
  post('login', { username, password }, headers, ip)
const factorsOf = async (headers: Headers) => (await http.inject({ url: '/api/obd/factors', headers })).json<object>()
const errorOf = (reply: { json(): { errors?: { field: string; text: string }[] } }) => {
  const [error] = reply.json().errors ?? []
  return error && `${error.field} ${error.text}`
}

async function withTotp(person: Parameters<typeof newUser>[1] = {}): Promise<Viewer> {
  const user = await newUser(app, person)
  await giveTotp(app, user.userId)
  return user
}

async function ticketOf(user: Viewer, ip?: string): Promise<string> {
  const { ticket } = (await login(user, {}, ip)).json<{ ticket?: string }>()
  if (ticket === undefined) throw new Error('no ticket')
  return ticket
}

const codeNow = () => codeAt(app.clock.now())
const wrong = () => (codeNow() === '000000' ? '000001' : '000000')
const used = 'code is not the code of now: each works once, for 30 s'

async function recoveryCodesOf(user: Viewer): Promise<string[]> {
  const reply = await post('factors/recovery', {}, await signedIn(app, user))
  expect(reply.statusCode).toBe(200)
  return reply.json<{ codes: string[] }>().codes
}

describe('a sign-in', () => {
  test('without a second factor is as the specification says', async () => {
    const reply = await login(await newUser(app))
    expect(Object.keys(reply.json()).toSorted()).toEqual(['message', 'role', 'token', 'userid'])
  })

  test('with one answers a ticket and no token; the ticket and a code answer as a sign-in does', async () => {
    const user = await withTotp()
    const half = await login(user)
    expect([half.statusCode, half.json()]).toEqual([
      200,
      { message: 'Second factor needed', ticket: expect.any(String), factors: ['totp'] },
    ])
    expect(half.cookies).toEqual([])
    const { ticket } = half.json<{ ticket: string }>()
    const reply = await post('login/factor', { ticket, code: `${codeNow().slice(0, 3)} ${codeNow().slice(3)}` })
    expect(reply.json()).toEqual({
      message: 'Success',
      token: expect.any(String),
      userid: user.userId,
      role: ['ROLE_USER'],
    })
    const headers = { authorization: `Bearer ${reply.json<{ token: string }>().token}` }
    const sessions = await http.inject({ url: '/api/obd/sessions', headers })
    expect(sessions.json()).toMatchObject([{ current: true, factor: 'totp' }])
    expect(await factorsOf(headers)).toMatchObject({ factors: [{ kind: 'totp', usedAt: expect.any(String) }] })
  })

  test('takes a recovery code instead, as it was copied or read out loud, once', async () => {
    const user = await withTotp()
    const [code = ''] = await recoveryCodesOf(user)
    const half = await login(user)
    expect(half.json()).toMatchObject({ factors: ['totp', 'recovery'] })
    const ticket = half.json<{ ticket: string }>().ticket
    const written = code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')
    expect((await post('login/factor', { ticket, recoveryCode: written })).statusCode).toBe(200)
    const again = await post('login/factor', { ticket: await ticketOf(user), recoveryCode: code })
    expect(errorOf(again)).toBe('recoveryCode is none of your unused recovery codes')
    expect(await factorsOf(await signedIn(app, user))).toMatchObject({ recoveryCodes: 9 })
  })

  test('says of an app that the server’s secret no longer opens what helps, and takes a recovery code', async () => {
    const user = await withTotp()
    const [recoveryCode = ''] = await recoveryCodesOf(user)
    const elsewhere = { ...app, config: { ...app.config, secret: Buffer.alloc(32, 7) } }
    await giveTotp(elsewhere, user.userId)
    const ticket = await ticketOf(user)
    const reply = await post('login/factor', { ticket, code: codeNow() })
    expect([reply.statusCode, errorOf(reply)]).toEqual([
      400,
      'code cannot be checked any more: use a recovery code, or have the second factor removed from above',
    ])
    expect((await post('login/factor', { ticket, recoveryCode })).statusCode).toBe(200)
  })

  test('refuses a code that is wrong, old or used, a ticket that was used, and none', async () => {
    const user = await withTotp()
    const ticket = await ticketOf(user)
    expect(errorOf(await post('login/factor', { ticket, code: wrong() }))).toBe(used)
    expect(errorOf(await post('login/factor', { ticket, code: codeAt(new Date(noon.getTime() - 90_000)) }))).toBe(used)
    expect((await post('login/factor', { ticket, code: codeNow() })).statusCode).toBe(200)
    expect(errorOf(await post('login/factor', { ticket: await ticketOf(user), code: codeNow() }))).toBe(used)
    expect(errorOf(await post('login/factor', { ticket, code: codeNow() }))).toBe('ticket is over: sign in again')
    expect((await post('login/factor', { ticket })).statusCode).toBe(400)
    expect((await post('login/factor', { ticket, code: '12345' })).statusCode).toBe(400)
  })

  test('takes neither a recovery code of another account nor two proofs, and both stay good for their owners', async () => {
    const [user, other] = [await withTotp(), await withTotp()]
    const [[own = ''], [others = '']] = [await recoveryCodesOf(user), await recoveryCodesOf(other)]
    const ticket = await ticketOf(user)
    const of = async (said: object) => errorOf(await post('login/factor', { ticket, ...said }))
    expect(await of({ recoveryCode: others })).toBe('recoveryCode is none of your unused recovery codes')
    expect(await of({ code: codeNow(), recoveryCode: own })).toMatch(/exactly one of the three/)
    expect((await post('login/factor', { ticket, recoveryCode: own })).statusCode).toBe(200)
    const its = await ticketOf(other)
    expect((await post('login/factor', { ticket: its, recoveryCode: others })).statusCode).toBe(200)
  })

  test('lives five minutes between its steps, and takes five wrong codes', async () => {
    const user = await withTotp()
    const late = await ticketOf(user)
    app.clock.advance(5 * 60_000 + 1)
    expect(errorOf(await post('login/factor', { ticket: late, code: codeNow() }))).toBe('ticket is over: sign in again')
    const ticket = await ticketOf(user)
    for (let n = 0; n < 4; n++) expect(errorOf(await post('login/factor', { ticket, code: wrong() }))).toBe(used)
    const tried = 'code was tried five times: sign in again'
    expect(errorOf(await post('login/factor', { ticket, code: wrong() }))).toBe(tried)
    expect(errorOf(await post('login/factor', { ticket, code: codeNow() }))).toBe(tried)
    expect((await post('login/factor', { ticket: await ticketOf(user), code: codeNow() })).statusCode).toBe(200)
    const lines = await app.db
      .selectFrom('audit_log')
      .select('action')
      .where('target', '=', `user ${user.userId}`)
      .execute()
    expect(lines.filter(({ action }) => action === 'login.factorFailed')).toHaveLength(5)
  })

  test('that the password was changed in the middle of ends', async () => {
    const user = await withTotp()
    const ticket = await ticketOf(user)
    const headers = await signedIn(app, user)
    const payload = { current: seededPassword, password: 'granite otter lantern 58' }
    expect((await post('password', payload, headers)).statusCode).toBe(200)
    expect(errorOf(await post('login/factor', { ticket, code: codeNow() }))).toBe('ticket is over: sign in again')
  })
})

describe('of fifty at once', () => {
  const winners = (replies: readonly { statusCode: number }[]) =>
    replies.filter(({ statusCode }) => statusCode === 200).length
  const sessionsOf = async ({ userId }: Viewer) =>
    (await app.db.selectFrom('session').select('id').where('user_id', '=', userId).execute()).length
  /** From fifty networks, so that none waits for the others' tries. */
  const fifty = <T>(work: (ip: string, n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 50 }, (_, n) => work(`103.${n}.28.7`, n)))

  test('one ticket opens one session', async () => {
    const user = await withTotp()
    const ticket = await ticketOf(user)
    const code = codeNow()
    expect(winners(await fifty((ip) => post('login/factor', { ticket, code }, {}, ip)))).toBe(1)
    expect(await sessionsOf(user)).toBe(1)
  })

  /** Tickets as sign-ins give them, without the waits of fifty sign-ins of one name. */
  async function ticketsOf(user: Viewer): Promise<string[]> {
    const ticket = await ticketOf(user)
    const { createHash, randomUUID } = await import('node:crypto')
    const hashOf = (text: string) => createHash('sha256').update(text).digest()
    const tickets = Array.from({ length: 50 }, () => randomUUID())
    const one = await app.db
      .selectFrom('ceremony')
      .selectAll()
      .where('token_hash', '=', hashOf(ticket))
      .executeTakeFirstOrThrow()
    const counted = JSON.stringify(one.counted)
    await app.db
      .insertInto('ceremony')
      .values(tickets.map((text) => ({ ...one, counted, token_hash: hashOf(text) })))
      .execute()
    return tickets
  }

  test('one code opens one session', async () => {
    const user = await withTotp()
    const tickets = await ticketsOf(user)
    const code = codeNow()
    expect(winners(await fifty((ip, n) => post('login/factor', { ticket: tickets[n], code }, {}, ip)))).toBe(1)
    expect(await sessionsOf(user)).toBe(1)
  })

  test('one recovery code opens one session', async () => {
    const user = await withTotp()
    const [recoveryCode] = await recoveryCodesOf(user)
    const before = await sessionsOf(user)
    const tickets = await ticketsOf(user)
    expect(winners(await fifty((ip, n) => post('login/factor', { ticket: tickets[n], recoveryCode }, {}, ip)))).toBe(1)
    expect(await sessionsOf(user)).toBe(before + 1)
  })

  test('one beginning adds one authenticator app', async () => {
    const user = await newUser(app)
    await app.db.updateTable('users').set({ verified_emailid: null }).where('id', '=', user.userId).execute()
    const headers = await signedIn(app, user)
    const { token, secret } = (await post('factors/totp/begin', {}, headers)).json<Record<string, string>>()
    const code = codeAt(app.clock.now(), secret)
    expect(winners(await fifty(() => post('factors/totp', { token, code }, headers)))).toBe(1)
  })
})

describe('wrong codes', () => {
  test('count and wait as wrong passwords do, and the password alone forgives none', async () => {
    const user = await withTotp()
    const answers: number[] = []
    for (let n = 0; n < 4; n++) {
      const half = await login(user)
      if (half.statusCode !== 200) {
        answers.push(half.statusCode)
        break
      }
      const { ticket } = half.json<{ ticket: string }>()
      for (let n = 0; n < 3; n++) answers.push((await post('login/factor', { ticket, code: wrong() })).statusCode)
    }
    expect(answers.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 400))
    expect(answers.slice(9), 'from the tenth on it waits').toContain(429)
  })

  test('lock nobody out: from a browser that signed in before, the owner gets in meanwhile', async () => {
    const user = await withTotp()
    const first = await post('login/factor', { ticket: await ticketOf(user), code: codeNow() })
    const device = first.cookies.find(({ name }) => name === 'device')?.value ?? ''
    for (let n = 0; n < 60; n++) {
      const half = await login(user, {}, `8.${n}.8.8`)
      const { ticket } = half.json<{ ticket?: string }>()
      if (ticket !== undefined) await post('login/factor', { ticket, code: wrong() }, {}, `8.${n}.8.8`)
    }
    app.clock.advance(60_000)
    const half = await login(user, { cookie: `device=${device}` }, '9.9.9.9')
    const { ticket } = half.json<{ ticket: string }>()
    const reply = await post('login/factor', { ticket, code: codeNow() }, { cookie: `device=${device}` }, '9.9.9.9')
    expect(reply.statusCode).toBe(200)
  })

  test('the password alone makes no network known', async () => {
    const user = await withTotp()
    await login(user, {}, '7.7.7.7')
    const known = await app.db
      .selectFrom('rate_limit')
      .select('key')
      .where('key', 'like', 'known %7.7.7.7/32')
      .execute()
    expect(known).toEqual([])
    await post('login/factor', { ticket: await ticketOf(user, '7.7.7.7'), code: codeNow() }, {}, '7.7.7.7')
    const after = await app.db
      .selectFrom('rate_limit')
      .select('key')
      .where('key', 'like', 'known %7.7.7.7/32')
      .execute()
    expect(after).toHaveLength(1)
  })
})

describe('an authenticator app', () => {
  /** A browser that signed in, and its cookie. */
  async function browserOf(user: Viewer, before: Headers = {}): Promise<Headers> {
    const reply = await login(user, before)
    const device = reply.cookies.find(({ name }) => name === 'device')?.value ?? ''
    return { authorization: `Bearer ${reply.json<{ token: string }>().token}`, cookie: `device=${device}` }
  }
  async function mailedCode(user: Viewer): Promise<string> {
    const { rows } = await app.pool.query<{ data: { userId: number; tokenHash: string } }>(
      "select data from pgboss.job where name = 'factor-mail' and (data->>'userId')::int = $1 order by created_on desc",
      [user.userId],
    )
    const [job] = rows
    if (!job) throw new Error('nothing is mailed')
    await sendFactorCode(app, job.data)
    const mail = app.mail.sent.at(-1)
    expect(mail?.to).toBe(`${user.username}@example.com`)
    return /^(\d{6})$/m.exec(mail?.text ?? '')?.[1] ?? ''
  }

  test('counts from its first code on, is told of, and is sealed for its account', async () => {
    const user = await newUser(app)
    const headers = await browserOf(user)
    app.clock.advance(8 * 24 * 3600_000)
    const known = await browserOf(user, { cookie: headers['cookie'] ?? '' })
    const begun = (await post('factors/totp/begin', {}, known)).json<Record<string, string>>()
    expect(begun).toMatchObject({ mailed: false, secret: expect.stringMatching(/^[A-Z2-7]{32}$/) })
    expect(begun['uri']).toContain(`otpauth://totp/Ghanti:${user.username}?secret=${begun['secret']}`)
    expect((await login(user)).json()).toHaveProperty('token')
    const { token, secret } = begun
    expect(errorOf(await post('factors/totp', { token, code: wrong() }, known))).toBe(used)
    const reply = await post('factors/totp', { token, code: codeAt(app.clock.now(), secret) }, known)
    expect(reply.json()).toEqual({ message: 'Success', factorId: expect.any(Number) })
    expect((await login(user)).json()).toHaveProperty('ticket')
    const row = await app.db.selectFrom('totp').selectAll().where('user_id', '=', user.userId).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(secret)
    const other = await withTotp()
    const { secret_sealed } = row
    await app.db.updateTable('totp').set({ secret_sealed }).where('user_id', '=', other.userId).execute()
    const ticket = await ticketOf(other)
    expect((await post('login/factor', { ticket, code: codeAt(app.clock.now(), secret) })).statusCode).not.toBe(200)
    const notices = await app.db.selectFrom('notice').select('kind').where('user_id', '=', user.userId).execute()
    expect(notices).toContainEqual({ kind: 'factorChanged' })
    const lines = await app.db.selectFrom('audit_log').select('action').where('actor_id', '=', user.userId).execute()
    expect(lines).toContainEqual({ action: 'factor.add' })
  })

  test('that is the first needs a mailed code as well, in a browser that is not known for a week', async () => {
    const user = await newUser(app)
    const headers = await browserOf(user)
    const begun = (await post('factors/totp/begin', {}, headers)).json<Record<string, string>>()
    expect(begun).toMatchObject({ mailed: true })
    const { token } = begun
    const code = codeAt(app.clock.now(), begun['secret'])
    const mailCode = await mailedCode(user)
    const isWrong = mailCode === '000000' ? '000001' : '000000'
    const notMailed = 'mailCode is not the code that was mailed'
    expect(errorOf(await post('factors/totp', { token, code }, headers))).toBe(notMailed)
    expect(errorOf(await post('factors/totp', { token, code, mailCode: isWrong }, headers))).toBe(notMailed)
    expect((await post('factors/totp', { token, code, mailCode }, headers)).statusCode).toBe(200)
    const next = (await post('factors/totp/begin', {}, headers)).json<Record<string, string>>()
    expect(next, 'another app in place of the first needs none').toMatchObject({ mailed: false })
  })

  test('needs none where nobody has confirmed an address; five wrong codes end it', async () => {
    const user = await newUser(app)
    await app.db.updateTable('users').set({ verified_emailid: null }).where('id', '=', user.userId).execute()
    const headers = await signedIn(app, user)
    const begun = (await post('factors/totp/begin', {}, headers)).json<Record<string, string>>()
    expect(begun).toMatchObject({ mailed: false })
    const add = (code: string) => post('factors/totp', { token: begun['token'], code }, headers)
    for (let n = 0; n < 4; n++) await add('000000')
    expect(errorOf(await add('000000'))).toBe('code was tried five times: begin again')
    expect((await add(codeAt(app.clock.now(), begun['secret']))).statusCode).toBe(400)
  })

  test('of another account is neither seen nor removed; with the last one the recovery codes go', async () => {
    const [user, other] = [await withTotp(), await newUser(app)]
    await recoveryCodesOf(user)
    const mine = await signedIn(app, user)
    const { factors } = (await factorsOf(mine)) as { factors: { factorId: number }[] }
    const remove = (headers: Headers) =>
      http.inject({ method: 'DELETE', url: `/api/obd/factors/${factors[0]?.factorId}`, headers })
    expect((await remove(await signedIn(app, other))).statusCode).toBe(404)
    expect((await remove(mine)).statusCode).toBe(200)
    expect(await factorsOf(mine)).toMatchObject({ factors: [], recoveryCodes: null, isRequired: false })
    expect((await post('factors/recovery', {}, mine)).statusCode).toBe(409)
    expect((await login(user)).json()).toHaveProperty('token')
  })
})

test('recovery codes are stored as hashes, and new ones end those before', async () => {
  const user = await withTotp()
  const [before = ''] = await recoveryCodesOf(user)
  const codes = await recoveryCodesOf(user)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  const stored = await app.db.selectFrom('recovery_code').selectAll().where('user_id', '=', user.userId).execute()
  expect(stored).toHaveLength(10)
  expect(JSON.stringify(stored)).not.toContain(codes[0]?.replaceAll('-', ''))
  const reply = await post('login/factor', { ticket: await ticketOf(user), recoveryCode: before })
  expect(reply.statusCode).toBe(400)
})
